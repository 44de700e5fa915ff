import { menuColumns, menuEntries, menuEntryJson } from '../display/menu.ts'
import { type Command, done } from './command.ts'
import { list } from './layout.ts'

export const items: Command = {
  usage: 'items [TEXT]',
  summary: 'list dishes, sizes and options with their ids, or those whose names contain a text',
  takes: ['TEXT?'],
  run({ args: [text], store }) {
    const entries = menuEntries(store().exportCatalogue(), text)
    const none = text === undefined ? 'There are no dishes.' : `No dish, size or option is called "${text}".`
    return done(entries.length === 0 ? none : list(menuColumns, entries), entries.map(menuEntryJson))
  },
}
