import { plural, sentences } from '../../../display/language.ts'

export const words = sentences({
  title: { en: 'Prices', de: 'Preise', pt: 'Preços' },
  help: {
    en: 'Tab goes along a row, Enter down a column. An empty price at a location inherits the price for everywhere.',
    de: 'Mit Tab geht es die Zeile entlang, mit Enter die Spalte hinunter. Ein leerer Preis an einem Standort übernimmt den Preis für überall.',
    pt: 'Tab avança na linha, Enter desce na coluna. Um preço vazio num local herda o preço para todo o lado.',
  },
  places: { en: 'Locations', de: 'Standorte', pt: 'Locais' },
  allPlaces: { en: 'All locations', de: 'Alle Standorte', pt: 'Todos os locais' },
  dish: { en: 'Dish', de: 'Gericht', pt: 'Prato' },
  everywhere: { en: 'Everywhere', de: 'Überall', pt: 'Em todo o lado' },
  save: { en: 'Save prices', de: 'Preise speichern', pt: 'Guardar preços' },
  back: { en: 'Back to the menu', de: 'Zurück zur Speisekarte', pt: 'Voltar à ementa' },
  several: { en: 'Change several prices', de: 'Mehrere Preise ändern', pt: 'Alterar vários preços' },
  which: { en: 'Of', de: 'Von', pt: 'De' },
  all: { en: 'the whole menu', de: 'der ganzen Karte', pt: 'toda a ementa' },
  column: { en: 'In the column', de: 'In der Spalte', pt: 'Na coluna' },
  change: { en: 'Change by', de: 'Ändern um', pt: 'Alterar em' },
  changeHelp: {
    en: 'Such as 5, or -2.5 to lower them.',
    de: 'Etwa 5, oder -2,5, um sie zu senken.',
    pt: 'Como 5, ou -2,5 para os baixar.',
  },
  unit: { en: 'Unit', de: 'Einheit', pt: 'Unidade' },
  percent: { en: 'percent', de: 'Prozent', pt: 'por cento' },
  amount: { en: 'amount', de: 'Betrag', pt: 'valor' },
  round: { en: 'Round to', de: 'Runden auf', pt: 'Arredondar a' },
  preview: { en: 'Preview', de: 'Vorschau', pt: 'Pré-visualizar' },
  previewed: {
    en: (count: number) =>
      plural('en', count, {
        one: '1 price would change. Nothing is saved yet.',
        other: `${count} prices would change. Nothing is saved yet.`,
      }),
    de: count =>
      plural('de', count, {
        one: '1 Preis würde sich ändern. Noch ist nichts gespeichert.',
        other: `${count} Preise würden sich ändern. Noch ist nichts gespeichert.`,
      }),
    pt: count =>
      plural('pt', count, {
        one: '1 preço seria alterado. Ainda nada foi guardado.',
        other: `${count} preços seriam alterados. Ainda nada foi guardado.`,
      }),
  },
  was: { en: (price: string) => `was ${price}`, de: price => `war ${price}`, pt: price => `era ${price}` },
  now: {
    en: (price: string) => `somebody else: ${price}`,
    de: price => `jemand anders: ${price}`,
    pt: price => `outra pessoa: ${price}`,
  },
  noPrice: { en: 'none', de: 'keiner', pt: 'nenhum' },
  wrong: { en: 'not a price', de: 'kein Preis', pt: 'não é um preço' },
  needed: { en: 'a price is needed', de: 'ein Preis fehlt', pt: 'falta um preço' },
  wrongNote: {
    en: 'Nothing was saved. Look at the marked prices.',
    de: 'Es wurde nichts gespeichert. Prüfen Sie die markierten Preise.',
    pt: 'Nada foi guardado. Veja os preços assinalados.',
  },
  clashNote: {
    en: 'Somebody else has changed some of these prices since you opened the page. Nothing was saved; save again to keep yours.',
    de: 'Jemand anders hat einige dieser Preise geändert, seit Sie die Seite geöffnet haben. Es wurde nichts gespeichert; speichern Sie noch einmal, um Ihre zu behalten.',
    pt: 'Outra pessoa alterou alguns destes preços desde que abriu a página. Nada foi guardado; guarde de novo para manter os seus.',
  },
  wrongChange: {
    en: 'Write a number such as 5 or -2.5.',
    de: 'Schreiben Sie eine Zahl wie 5 oder -2,5.',
    pt: 'Escreva um número como 5 ou -2,5.',
  },
  options: {
    en: (group: string) => `Options: ${group}`,
    de: group => `Optionen: ${group}`,
    pt: group => `Opções: ${group}`,
  },
  nothing: {
    en: 'There is no dish yet.',
    de: 'Es gibt noch kein Gericht.',
    pt: 'Ainda não há nenhum prato.',
  },
})
