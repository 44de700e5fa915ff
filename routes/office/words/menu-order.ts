import { sentences } from '../../../display/language.ts'

export const words = sentences({
  title: { en: 'Order of the menu', de: 'Reihenfolge der Karte', pt: 'Ordem da ementa' },
  help: {
    en: 'Move dishes and sections with the arrows, or drag them. Guests see them in this order at once.',
    de: 'Verschieben Sie Gerichte und Bereiche mit den Pfeilen, oder ziehen Sie sie. Gäste sehen diese Reihenfolge sofort.',
    pt: 'Mova os pratos e as secções com as setas, ou arraste-os. Os clientes veem logo esta ordem.',
  },
  up: { en: 'Up', de: 'Nach oben', pt: 'Para cima' },
  down: { en: 'Down', de: 'Nach unten', pt: 'Para baixo' },
  back: { en: 'Back to the menu', de: 'Zurück zur Speisekarte', pt: 'Voltar à ementa' },
  gone: {
    en: 'This is no longer on the menu, so nothing was moved.',
    de: 'Das gibt es auf der Karte nicht mehr, deshalb wurde nichts verschoben.',
    pt: 'Isto já não está na ementa, por isso nada foi movido.',
  },
  nothing: { en: 'There is no section yet.', de: 'Es gibt noch keinen Bereich.', pt: 'Ainda não há nenhuma secção.' },
})
