import { plural, sentences } from '../../../display/language.ts'
import type { Change, Thing } from '../../../store/restaurant-file/changes.ts'

export const words = sentences({
  title: { en: 'Import and export', de: 'Import und Export', pt: 'Importar e exportar' },
  back: { en: 'Back to the menu', de: 'Zurück zur Speisekarte', pt: 'Voltar à ementa' },
  import: { en: 'Import', de: 'Import', pt: 'Importar' },
  importHelp: {
    en: 'A restaurant file, or the menu export of Square, Loyverse or Uber Eats, or a list as text. You see what would change before anything is changed.',
    de: 'Eine Restaurantdatei, der Menü-Export von Square, Loyverse oder Uber Eats, oder eine Liste als Text. Sie sehen, was sich ändern würde, bevor sich etwas ändert.',
    pt: 'Um ficheiro do restaurante, a exportação da ementa do Square, Loyverse ou Uber Eats, ou uma lista em texto. Vê o que mudaria antes de mudar seja o que for.',
  },
  file: { en: 'File', de: 'Datei', pt: 'Ficheiro' },
  how: { en: 'How', de: 'Wie', pt: 'Como' },
  replace: {
    en: 'Make the menu equal to the file',
    de: 'Die Karte der Datei gleich machen',
    pt: 'Tornar a ementa igual ao ficheiro',
  },
  prices: { en: 'Change only prices', de: 'Nur Preise ändern', pt: 'Alterar só os preços' },
  add: { en: 'Add only what is new', de: 'Nur Neues hinzufügen', pt: 'Adicionar só o que é novo' },
  look: { en: 'Look at it', de: 'Ansehen', pt: 'Ver' },
  export: { en: 'Export', de: 'Export', pt: 'Exportar' },
  exportHelp: {
    en: 'The whole restaurant as one file, to keep or to edit. Importing it again changes nothing.',
    de: 'Das ganze Restaurant als eine Datei, zum Aufbewahren oder Bearbeiten. Ein erneuter Import ändert nichts.',
    pt: 'Todo o restaurante num ficheiro, para guardar ou editar. Importá-lo de novo não altera nada.',
  },
  download: { en: 'Download', de: 'Herunterladen', pt: 'Descarregar' },
  lastChange: { en: 'Last change', de: 'Letzte Änderung', pt: 'Última alteração' },
  changedBy: {
    en: (who: string, when: string) => `${who}, ${when}`,
    de: (who, when) => `${who}, ${when}`,
    pt: (who, when) => `${who}, ${when}`,
  },
  noChange: {
    en: 'There is no change that can be undone.',
    de: 'Es gibt keine Änderung, die rückgängig gemacht werden kann.',
    pt: 'Não há nenhuma alteração que se possa anular.',
  },
  undo: { en: 'Undo it', de: 'Rückgängig machen', pt: 'Anular' },
  check: { en: 'Menu check', de: 'Prüfung der Karte', pt: 'Verificação da ementa' },
  inOrder: {
    en: 'The menu is in order.',
    de: 'Mit der Karte ist alles in Ordnung.',
    pt: 'A ementa está em ordem.',
  },
  preview: { en: 'What the import would change', de: 'Was der Import ändern würde', pt: 'O que a importação mudaria' },
  nothingChanges: { en: 'Nothing changes.', de: 'Es ändert sich nichts.', pt: 'Nada muda.' },
  changes: {
    en: (count: number) => plural('en', count, { one: '1 change', other: `${count} changes` }),
    de: count => plural('de', count, { one: '1 Änderung', other: `${count} Änderungen` }),
    pt: count => plural('pt', count, { one: '1 alteração', other: `${count} alterações` }),
  },
  andMore: { en: (n: number) => `and ${n} more`, de: n => `und ${n} weitere`, pt: n => `e mais ${n}` },
  importNow: { en: 'Import now', de: 'Jetzt importieren', pt: 'Importar agora' },
  another: { en: 'Another file', de: 'Andere Datei', pt: 'Outro ficheiro' },
  warnings: { en: 'To look at', de: 'Zum Ansehen', pt: 'A rever' },
  unknown: {
    en: 'What the file does not say',
    de: 'Was die Datei nicht sagt',
    pt: 'O que o ficheiro não diz',
  },
  problems: {
    en: (count: number) =>
      plural('en', count, {
        one: 'This file has 1 problem, so nothing was imported.',
        other: `This file has ${count} problems, so nothing was imported.`,
      }),
    de: count =>
      plural('de', count, {
        one: 'Diese Datei hat 1 Problem, deshalb wurde nichts importiert.',
        other: `Diese Datei hat ${count} Probleme, deshalb wurde nichts importiert.`,
      }),
    pt: count =>
      plural('pt', count, {
        one: 'Este ficheiro tem 1 problema, por isso nada foi importado.',
        other: `Este ficheiro tem ${count} problemas, por isso nada foi importado.`,
      }),
  },
  noFile: { en: 'Choose a file first.', de: 'Wählen Sie zuerst eine Datei aus.', pt: 'Escolha primeiro um ficheiro.' },
  notReadable: {
    en: 'The file could not be read. Choose it again.',
    de: 'Die Datei konnte nicht gelesen werden. Wählen Sie sie noch einmal aus.',
    pt: 'Não foi possível ler o ficheiro. Escolha-o de novo.',
  },
  tooLarge: {
    en: (mb: number) => `The file is larger than ${mb} MB.`,
    de: mb => `Die Datei ist größer als ${mb} MB.`,
    pt: mb => `O ficheiro tem mais de ${mb} MB.`,
  },
  expired: {
    en: 'The file is no longer here. Choose it again.',
    de: 'Die Datei ist nicht mehr hier. Wählen Sie sie noch einmal aus.',
    pt: 'O ficheiro já não está aqui. Escolha-o de novo.',
  },
  details: { en: 'From → to', de: 'Von → nach', pt: 'De → para' },
  what: { en: 'What', de: 'Was', pt: 'O quê' },
  name: { en: 'Name', de: 'Name', pt: 'Nome' },
})

type Names<Key extends string> = Record<Key, { en: string; de: string; pt: string }>

const kinds: Names<Change['kind']> = {
  added: { en: 'added', de: 'neu', pt: 'novo' },
  changed: { en: 'changed', de: 'geändert', pt: 'alterado' },
  unpublished: { en: 'unpublished', de: 'nicht mehr veröffentlicht', pt: 'despublicado' },
  removed: { en: 'removed', de: 'entfernt', pt: 'removido' },
}

const things: Names<Thing> = {
  restaurant: { en: 'restaurant', de: 'Restaurant', pt: 'restaurante' },
  'tax class': { en: 'tax class', de: 'Steuerklasse', pt: 'classe de imposto' },
  label: { en: 'label', de: 'Kennzeichen', pt: 'etiqueta' },
  allergen: { en: 'allergen', de: 'Allergen', pt: 'alergénio' },
  'option group': { en: 'option group', de: 'Optionsgruppe', pt: 'grupo de opções' },
  option: { en: 'option', de: 'Option', pt: 'opção' },
  'menu section': { en: 'section', de: 'Bereich', pt: 'secção' },
  item: { en: 'dish', de: 'Gericht', pt: 'prato' },
  size: { en: 'size', de: 'Größe', pt: 'tamanho' },
  location: { en: 'location', de: 'Standort', pt: 'local' },
  'tax rate': { en: 'tax rate', de: 'Steuersatz', pt: 'taxa de imposto' },
  'delivery zone': { en: 'delivery zone', de: 'Liefergebiet', pt: 'zona de entrega' },
  'item at a location': { en: 'dish at a location', de: 'Gericht an einem Standort', pt: 'prato num local' },
  'size at a location': { en: 'size at a location', de: 'Größe an einem Standort', pt: 'tamanho num local' },
  table: { en: 'table', de: 'Tisch', pt: 'mesa' },
  station: { en: 'station', de: 'Station', pt: 'posto' },
  'routing rule': { en: 'kitchen rule', de: 'Küchenregel', pt: 'regra da cozinha' },
  'stock item': { en: 'stock item', de: 'Bestandsartikel', pt: 'artigo de stock' },
  promotion: { en: 'promotion', de: 'Aktion', pt: 'promoção' },
}

/** "dish added" */
export function changeName({ kind, thing }: Change, language: 'en' | 'de' | 'pt'): string {
  return `${things[thing][language]}: ${kinds[kind][language]}`
}
