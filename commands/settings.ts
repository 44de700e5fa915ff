import { settingKeys } from '../store/settings.ts'
import { type Command, done, refused } from './command.ts'
import { lines } from './layout.ts'

export const settings: Command = {
  usage: 'settings [set KEY VALUE]',
  summary: `show the settings, or set one: ${settingKeys.join(', ')}`,
  run({ args: [verb, key, value, ...rest], store }) {
    if (verb === undefined) {
      const all = store().settings.all()
      return done(lines(Object.entries(all)), all)
    }
    if (verb !== 'set' || key === undefined || value === undefined || rest.length > 0) return undefined
    const refusal = store('create').settings.set(key, value)
    if (refusal) return refused(refusal)
    return done(`${key} is now ${value}.`, store().settings.all())
  },
}

export const token: Command = {
  usage: 'token',
  summary: 'make a new API token and print it once; the old one stops working at once',
  run({ args, store }) {
    if (args.length > 0) return undefined
    const made = store('create').token.generate()
    return done(made, { token: made })
  },
}
