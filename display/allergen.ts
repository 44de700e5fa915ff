import { baseLanguage, type Language, languages } from './language.ts'

/**
 * The 14 allergens of Regulation (EU) 1169/2011 by their usual names. The first name of each is the one that is shown. Only names with
 * exactly the same meaning are here: "shellfish" also means molluscs, and lactose is not milk.
 */
const usualNames: Record<Language, string[]>[] = [
  {
    en: ['Gluten', 'Cereals containing gluten'],
    de: ['Gluten', 'Glutenhaltiges Getreide'],
    pt: ['Glúten', 'Cereais que contêm glúten', 'Cereais com glúten'],
  },
  {
    en: ['Crustaceans', 'Crustacean'],
    de: ['Krebstiere', 'Krebstier', 'Krustentiere'],
    pt: ['Crustáceos', 'Crustáceo'],
  },
  { en: ['Eggs', 'Egg'], de: ['Eier', 'Ei'], pt: ['Ovos', 'Ovo'] },
  { en: ['Fish'], de: ['Fisch', 'Fische'], pt: ['Peixe', 'Peixes'] },
  {
    en: ['Peanuts', 'Peanut', 'Groundnuts'],
    de: ['Erdnüsse', 'Erdnuss'],
    pt: ['Amendoins', 'Amendoim'],
  },
  {
    en: ['Soya', 'Soy', 'Soybeans', 'Soybean', 'Soya beans', 'Soyabeans'],
    de: ['Soja', 'Sojabohnen', 'Sojabohne'],
    pt: ['Soja', 'Grãos de soja'],
  },
  {
    en: ['Milk'],
    de: ['Milch'],
    pt: ['Leite'],
  },
  {
    en: ['Nuts', 'Nut', 'Tree nuts', 'Tree nut'],
    de: ['Schalenfrüchte', 'Schalenfrucht', 'Nüsse', 'Nuss'],
    pt: ['Frutos de casca rija', 'Fruto de casca rija'],
  },
  { en: ['Celery', 'Celeriac'], de: ['Sellerie'], pt: ['Aipo'] },
  { en: ['Mustard'], de: ['Senf'], pt: ['Mostarda'] },
  {
    en: ['Sesame', 'Sesame seeds', 'Sesame seed'],
    de: ['Sesam', 'Sesamsamen'],
    pt: ['Sésamo', 'Sementes de sésamo', 'Gergelim'],
  },
  {
    en: ['Sulphites', 'Sulphite', 'Sulfites', 'Sulfite', 'Sulphur dioxide', 'Sulphur dioxide and sulphites'],
    de: ['Sulfite', 'Sulfit', 'Schwefeldioxid', 'Schwefeldioxid und Sulfite'],
    pt: ['Sulfitos', 'Sulfito', 'Dióxido de enxofre', 'Dióxido de enxofre e sulfitos'],
  },
  { en: ['Lupin', 'Lupins', 'Lupine'], de: ['Lupinen', 'Lupine'], pt: ['Tremoços', 'Tremoço', 'Lupino'] },
  {
    en: ['Molluscs', 'Mollusc', 'Mollusks', 'Mollusk'],
    de: ['Weichtiere', 'Weichtier'],
    pt: ['Moluscos', 'Molusco'],
  },
]

const folded = (name: string) => name.normalize('NFC').trim().toLowerCase()

const byName = new Map(
  usualNames.flatMap(names =>
    languages.flatMap(language => names[language].map(name => [folded(name), names] as const)),
  ),
)

interface Titled {
  title: string
  translations: Readonly<Record<string, Readonly<Record<string, string | null | undefined>>>>
}

/**
 * An allergen with its usual name in a language as its translation: "Eggs" gets "Eier" for German. `tag` is a language tag such as
 * `pt-BR`. An allergen stays as it is if the restaurant file translates it, if it is none of the 14, or if its title already is a
 * usual name in that language.
 */
export function allergenIn<Allergen extends Titled>(allergen: Allergen, tag: string): Allergen {
  const { title, translations } = allergen
  const language = languages.find(each => each === baseLanguage(tag))
  if (language === undefined || translations[tag]?.title) return allergen
  const names = byName.get(folded(title))?.[language]
  if (names === undefined || names.some(name => folded(name) === folded(title))) return allergen
  return { ...allergen, translations: { ...translations, [tag]: { ...translations[tag], title: names[0] } } }
}
