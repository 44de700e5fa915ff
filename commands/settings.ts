import { refusalText } from '../display/refusal.ts'
import { settingKeys } from '../store/settings.ts'
import { type Command, didYouMean, done, misused, refused } from './command.ts'
import { lines } from './layout.ts'

export const settings: Command = {
  usage: 'settings [set KEY VALUE]',
  summary: `show the settings, or set one: ${settingKeys.join(', ')}`,
  takes: ['set?', 'KEY?', 'VALUE?'],
  run({ args: [verb, key, value], store }) {
    if (verb === undefined) {
      const all = store().settings.all()
      return done(lines(Object.entries(all)), all)
    }
    if (verb !== 'set') return misused(`There is no "settings ${verb}".${didYouMean(verb, ['set'])}`)
    if (key === undefined) return misused('KEY is missing.')
    if (value === undefined) return misused('VALUE is missing.')
    const refusal = store('create').settings.set(key, value)
    if (refusal?.refused === 'unknown setting') {
      return refused(`${refusalText(refusal)}${didYouMean(key, settingKeys)}`)
    }
    if (refusal) return refused(refusal)
    return done(`${key} is now ${value}.`, store().settings.all())
  },
}

export const token: Command = {
  usage: 'token',
  summary: 'make a new API token and print it once; the old one stops working at once',
  run({ store }) {
    const made = store('create').token.generate()
    return done(made, { token: made })
  },
}
