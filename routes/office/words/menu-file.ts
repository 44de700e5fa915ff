import { plural, sentences } from '../../../display/language.ts'

export const words = sentences({
  title: { en: 'Import and export', de: 'Import und Export', pt: 'Importação e exportação' },
  back: { en: 'Back to the menu', de: 'Zurück zur Speisekarte', pt: 'Voltar à ementa' },
  import: { en: 'Import', de: 'Importieren', pt: 'Importar' },
  importHelp: {
    en: 'A restaurant file, or the menu export of Square, Loyverse or Uber Eats, or a list as text. You see what would change before anything is changed.',
    de: 'Eine Restaurantdatei, der Menü-Export von Square, Loyverse oder Uber Eats, oder eine Liste als Text. Sie sehen, was sich ändern würde, bevor sich etwas ändert.',
    pt: 'Um ficheiro do restaurante, a exportação da ementa do Square, Loyverse ou Uber Eats, ou uma lista em texto. Verá o que mudaria antes de qualquer alteração.',
  },
  file: { en: 'File', de: 'Datei', pt: 'Ficheiro' },
  how: { en: 'How', de: 'Wie', pt: 'Como' },
  replace: {
    en: 'Make the menu equal to the file',
    de: 'Die Karte durch die Datei ersetzen',
    pt: 'Substituir a ementa pelo ficheiro',
  },
  prices: { en: 'Change only prices', de: 'Nur Preise ändern', pt: 'Alterar só os preços' },
  add: { en: 'Add only what is new', de: 'Nur Neues hinzufügen', pt: 'Adicionar só o que é novo' },
  look: { en: 'Show what would change', de: 'Zeigen, was sich ändern würde', pt: 'Mostrar o que mudaria' },
  export: { en: 'Export', de: 'Exportieren', pt: 'Exportar' },
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
    pt: 'Não há nenhuma alteração que se possa desfazer.',
  },
  undo: { en: 'Undo it', de: 'Rückgängig machen', pt: 'Desfazer' },
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
