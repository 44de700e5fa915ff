/** The languages of the pages. The commands speak English. */
export const languages = ['en', 'de', 'pt'] as const
export type Language = (typeof languages)[number]

/** Each language by its own name. */
export const languageNames: Record<Language, string> = { en: 'English', de: 'Deutsch', pt: 'Português' }

/** A text in the quotation marks of a language. */
export function quoted(text: string, language: Language): string {
  const [open, close] = marks[language]
  return `${open}${text}${close}`
}

const marks: Record<Language, [open: string, close: string]> = { en: ['"', '"'], de: ['„', '“'], pt: ['«', '»'] }

/** The locale whose numbers and dates a language uses. */
export const locales: Record<Language, string> = { en: 'en-GB', de: 'de-DE', pt: 'pt-PT' }

/**
 * A dictionary by language, from sentences that each stand in all of them: `sentences({ open: { en, de, pt } }).de.open`. A
 * sentence is a text, or a function that makes one from its facts. One that lacks a language does not compile.
 */
export function sentences<English extends Record<string, unknown>>(
  all: {
    [Key in keyof English]: { en: English[Key] } & Record<Exclude<Language, 'en'>, NoInfer<English[Key]>>
  },
): Record<Language, English> {
  const entries = Object.entries<Record<Language, unknown>>(all)
  const dictionary = (language: Language) =>
    Object.fromEntries(entries.map(([key, sentence]) => [key, sentence[language]])) as English
  return { en: dictionary('en'), de: dictionary('de'), pt: dictionary('pt') }
}

/** The first language of an `Accept-Language` that the pages have, else English. */
export function acceptedLanguage(header: string | undefined): Language {
  return acceptedAmong(header, languages) ?? 'en'
}

/** The first of these language tags that an `Accept-Language` header asks for: exactly, or in another form of the same language. */
export function acceptedAmong<Tag extends string>(header: string | undefined, tags: readonly Tag[]): Tag | undefined {
  const wanted = (header ?? '').split(',').map(entry => {
    const [range = '', ...parameters] = entry.toLowerCase().split(';')
    const quality = parameters.map(parameter => /^\s*q=([\d.]+)\s*$/.exec(parameter)?.[1]).find(Boolean)
    return { range: range.trim(), quality: Number(quality ?? 1) }
  })
  wanted.sort((a, b) => b.quality - a.quality)
  for (const { range, quality } of wanted) {
    const known =
      tags.find(tag => tag.toLowerCase() === range) ?? tags.find(tag => baseLanguage(tag) === baseLanguage(range))
    if (known && quality > 0) return known
  }
  return undefined
}

/** The language of a tag, without its script and region: "pt" of "pt-BR". */
export function baseLanguage(tag: string): string {
  return tag.split('-')[0] ?? tag
}

const rightToLeft = new Set(['Adlm', 'Arab', 'Hebr', 'Nkoo', 'Rohg', 'Syrc', 'Thaa'])

/** The direction in which a language is written. */
export function directionOf(tag: string): 'ltr' | 'rtl' {
  return rightToLeft.has(new Intl.Locale(tag).maximize().script ?? '') ? 'rtl' : 'ltr'
}

/** The name of a language in that language, such as "Português". */
export function nameOfLanguage(tag: string): string {
  const name = new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag
  return name.charAt(0).toLocaleUpperCase(tag) + name.slice(1)
}

const rules = Object.fromEntries(languages.map(language => [language, new Intl.PluralRules(locales[language])]))

/** Which form a count takes: `plural('en', 1, { one: 'order', other: 'orders' })`. */
export function plural(language: Language, count: number, forms: { one: string; other: string }): string {
  return rules[language]?.select(count) === 'one' ? forms.one : forms.other
}
