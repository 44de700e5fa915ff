import { plural, sentences } from '../../../display/language.ts'

/** The words of the menu, and of taking dishes off it. */
export const words = sentences({
  title: { en: 'Menu', de: 'Speisekarte', pt: 'Ementa' },
  prices: { en: 'Prices', de: 'Preise', pt: 'Preços' },
  order: { en: 'Order', de: 'Reihenfolge', pt: 'Ordem' },
  file: { en: 'Import, export', de: 'Import, Export', pt: 'Importar, exportar' },
  newDish: { en: 'New dish', de: 'Neues Gericht', pt: 'Novo prato' },
  newSection: { en: 'New section', de: 'Neuer Bereich', pt: 'Nova secção' },
  newGroup: { en: 'New option group', de: 'Neue Optionsgruppe', pt: 'Novo grupo de opções' },
  find: { en: 'Find a dish', de: 'Gericht suchen', pt: 'Procurar um prato' },
  findButton: { en: 'Find', de: 'Suchen', pt: 'Procurar' },
  notFound: {
    en: (text: string) => `No dish has “${text}” in its name.`,
    de: text => `Kein Gericht hat „${text}“ im Namen.`,
    pt: text => `Nenhum prato tem «${text}» no nome.`,
  },
  sections: { en: 'Sections', de: 'Bereiche', pt: 'Secções' },
  places: { en: 'Locations', de: 'Standorte', pt: 'Locais' },
  noLocation: {
    en: 'There is no menu yet. Import a restaurant file to begin.',
    de: 'Es gibt noch keine Speisekarte. Importieren Sie zuerst eine Restaurantdatei.',
    pt: 'Ainda não há ementa. Comece por importar um ficheiro do restaurante.',
  },
  noDishes: {
    en: 'There is no dish here yet.',
    de: 'Hier gibt es noch kein Gericht.',
    pt: 'Ainda não há aqui nenhum prato.',
  },
  offNow: {
    en: (count: number) => `Off the menu now: ${count}`,
    de: count => `Gerade nicht auf der Karte: ${count}`,
    pt: count => `Fora da ementa agora: ${count}`,
  },
  offSome: {
    en: (count: number) => plural('en', count, { one: '1 part is off', other: `${count} parts are off` }),
    de: count => plural('de', count, { one: '1 Teil ist aus', other: `${count} Teile sind aus` }),
    pt: count => plural('pt', count, { one: '1 parte esgotada', other: `${count} partes esgotadas` }),
  },
  takeOff: { en: 'Take off…', de: 'Sperren…', pt: 'Retirar…' },
  takeOffTitle: {
    en: (title: string) => `Take off: ${title}`,
    de: title => `Sperren: ${title}`,
    pt: title => `Retirar: ${title}`,
  },
  putBack: { en: 'Put back', de: 'Wieder anbieten', pt: 'Repor' },
  here: { en: (place: string) => `Only ${place}`, de: place => `Nur ${place}`, pt: place => `Só ${place}` },
  everywhere: { en: 'Everywhere', de: 'Überall', pt: 'Em todo o lado' },
  where: { en: 'Where', de: 'Wo', pt: 'Onde' },
  untilTomorrow: { en: 'Until tomorrow', de: 'Bis morgen', pt: 'Até amanhã' },
  untilPutBack: { en: 'Until put back', de: 'Bis auf Weiteres', pt: 'Até ser reposto' },
  untilTime: { en: 'Until a time', de: 'Bis zu einer Uhrzeit', pt: 'Até uma hora' },
  time: { en: 'Back at', de: 'Wieder ab', pt: 'Volta às' },
  timeHelp: {
    en: 'A time such as 18:00, the next time the clock shows it.',
    de: 'Eine Uhrzeit wie 18:00: wenn die Uhr sie das nächste Mal zeigt.',
    pt: 'Uma hora como 18:00: a próxima vez que o relógio a mostrar.',
  },
  wrongTime: {
    en: 'This is not a time. Write it like 18:00.',
    de: 'Das ist keine Uhrzeit. Schreiben Sie sie wie 18:00.',
    pt: 'Isto não é uma hora. Escreva-a como 18:00.',
  },
  apply: { en: 'Take off', de: 'Sperren', pt: 'Retirar' },
  dish: { en: 'The whole dish', de: 'Das ganze Gericht', pt: 'O prato inteiro' },
  sizes: { en: 'Sizes', de: 'Größen', pt: 'Tamanhos' },
  options: { en: 'Options', de: 'Optionen', pt: 'Opções' },
  optionsHelp: {
    en: 'An option is off for every dish that has it.',
    de: 'Eine Option ist bei jedem Gericht aus, das sie hat.',
    pt: 'Uma opção fica esgotada em todos os pratos que a têm.',
  },
  back: { en: 'Back to the menu', de: 'Zurück zur Speisekarte', pt: 'Voltar à ementa' },
  edit: { en: 'Edit', de: 'Bearbeiten', pt: 'Editar' },
  gone: {
    en: 'This is no longer on the menu.',
    de: 'Das gibt es auf der Karte nicht mehr.',
    pt: 'Isto já não está na ementa.',
  },
  orderable: { en: 'On the menu', de: 'Auf der Karte', pt: 'Na ementa' },
  takenOff: {
    en: (who: string | null, since: string, until: string | null, where: string | null) =>
      `taken off${who === null ? '' : ` by ${who}`} since ${since}${where === null ? '' : `, ${where}`}${until === null ? '' : `, back ${until}`}`,
    de: (who, since, until, where) =>
      `gesperrt${who === null ? '' : ` von ${who}`} seit ${since}${where === null ? '' : `, ${where}`}${until === null ? '' : `, wieder ab ${until}`}`,
    pt: (who, since, until, where) =>
      `retirado${who === null ? '' : ` por ${who}`} desde ${since}${where === null ? '' : `, ${where}`}${until === null ? '' : `, volta ${until}`}`,
  },
  inAllPlaces: { en: 'everywhere', de: 'überall', pt: 'em todo o lado' },
  outOfStock: {
    en: (title: string, left: string) => `${title}: ${left} left`,
    de: (title, left) => `${title}: noch ${left}`,
    pt: (title, left) => `${title}: restam ${left}`,
  },
  notPublished: { en: 'not published', de: 'nicht veröffentlicht', pt: 'não publicado' },
  sectionNotPublished: {
    en: 'its section is not published',
    de: 'sein Bereich ist nicht veröffentlicht',
    pt: 'a sua secção não está publicada',
  },
  notHere: { en: 'switched off here', de: 'hier abgeschaltet', pt: 'desligado aqui' },
  noSize: { en: 'no size is left', de: 'keine Größe ist übrig', pt: 'não resta nenhum tamanho' },
  tooFewOptions: {
    en: (group: string) => `too few options left in “${group}”`,
    de: group => `zu wenige Optionen übrig in „${group}“`,
    pt: group => `restam poucas opções em «${group}»`,
  },
  contains: { en: (list: string) => `Contains ${list}`, de: list => `Enthält ${list}`, pt: list => `Contém ${list}` },
  mayContain: {
    en: (list: string) => `may contain ${list}`,
    de: list => `kann ${list} enthalten`,
    pt: list => `pode conter ${list}`,
  },
  findings: {
    en: (count: number) =>
      plural('en', count, {
        one: 'The menu check found 1 thing to look at.',
        other: `The menu check found ${count} things to look at.`,
      }),
    de: count =>
      plural('de', count, {
        one: 'Die Prüfung der Karte hat 1 Auffälligkeit gefunden.',
        other: `Die Prüfung der Karte hat ${count} Auffälligkeiten gefunden.`,
      }),
    pt: count =>
      plural('pt', count, {
        one: 'A verificação da ementa encontrou 1 coisa a rever.',
        other: `A verificação da ementa encontrou ${count} coisas a rever.`,
      }),
  },
  print: { en: 'Print', de: 'Drucken', pt: 'Imprimir' },
  look: { en: 'Look', de: 'Ansehen', pt: 'Ver' },
  saved: { en: 'Saved.', de: 'Gespeichert.', pt: 'Guardado.' },
  undone: { en: 'Undone.', de: 'Rückgängig gemacht.', pt: 'Desfeito.' },
  undo: { en: 'Undo', de: 'Rückgängig machen', pt: 'Desfazer' },
  undoneFirst: {
    en: (who: string) => `${who} has changed the menu since. Only the last change can be undone.`,
    de: who => `${who} hat die Karte seither geändert. Nur die letzte Änderung kann rückgängig gemacht werden.`,
    pt: who => `${who} alterou a ementa entretanto. Só a última alteração pode ser desfeita.`,
  },
  nothingToUndo: {
    en: 'There is nothing to undo.',
    de: 'Es gibt nichts rückgängig zu machen.',
    pt: 'Não há nada para desfazer.',
  },
})
