import { sentences } from '../../../display/language.ts'

/** The words of the page with the order pad, and those on its slips. */
export const words = sentences({
  title: { en: 'Order pad for emergencies', de: 'Bestellblock für den Notfall', pt: 'Bloco de pedidos de emergência' },
  help: {
    en: 'Numbered slips with what can be ordered today, for when nothing else works. Print some before you need them, and enter the orders at the till afterwards.',
    de: 'Nummerierte Zettel mit dem, was es heute gibt, für den Fall, dass nichts anderes geht. Drucken Sie einige, bevor Sie sie brauchen, und tragen Sie die Bestellungen danach an der Kasse ein.',
    pt: 'Folhas numeradas com o que hoje se pode pedir, para quando nada mais funciona. Imprima algumas antes de precisar e registe depois os pedidos na caixa.',
  },
  count: { en: 'Slips', de: 'Zettel', pt: 'Folhas' },
  from: { en: 'First number', de: 'Erste Nummer', pt: 'Primeiro número' },
  emptyMenu: {
    en: 'Nothing can be ordered at this location today.',
    de: 'An diesem Standort kann heute nichts bestellt werden.',
    pt: 'Hoje não se pode pedir nada neste local.',
  },
  noLocation: {
    en: 'There is no published location yet. Import a menu first.',
    de: 'Noch gibt es keinen veröffentlichten Standort. Importieren Sie zuerst eine Karte.',
    pt: 'Ainda não há nenhum local publicado. Importe primeiro uma ementa.',
  },
  number: { en: 'No.', de: 'Nr.', pt: 'N.º' },
  date: { en: 'Date', de: 'Datum', pt: 'Data' },
  table: { en: 'Table', de: 'Tisch', pt: 'Mesa' },
  name: { en: 'Name, phone', de: 'Name, Telefon', pt: 'Nome, telefone' },
  time: { en: 'Time', de: 'Uhrzeit', pt: 'Hora' },
  notes: { en: 'Notes, allergies', de: 'Hinweise, Allergien', pt: 'Notas, alergias' },
  total: { en: 'Total', de: 'Summe', pt: 'Total' },
})
