import { plural, sentences } from '../../../display/language.ts'

export const words = sentences({
  title: { en: 'Settings', de: 'Einstellungen', pt: 'Definições' },
  site: { en: 'Site', de: 'Restaurant', pt: 'Restaurante' },
  backups: { en: 'Backups', de: 'Sicherungen', pt: 'Cópias de segurança' },
  examination: { en: 'Examination', de: 'Prüfung', pt: 'Verificação' },
  activity: { en: 'Activity', de: 'Aktivität', pt: 'Atividade' },
  staff: { en: 'Staff', de: 'Personal', pt: 'Pessoal' },
  devices: { en: 'Devices', de: 'Geräte', pt: 'Dispositivos' },
  sessions: { en: 'Sessions', de: 'Anmeldungen', pt: 'Sessões' },
  save: { en: 'Save', de: 'Speichern', pt: 'Guardar' },
  saved: { en: 'Saved.', de: 'Gespeichert.', pt: 'Guardado.' },

  siteTitle: { en: 'Name of the restaurant', de: 'Name des Restaurants', pt: 'Nome do restaurante' },
  timezone: { en: 'Time zone', de: 'Zeitzone', pt: 'Fuso horário' },
  timezoneHelp: {
    en: 'For all times that belong to no location, such as those of this page.',
    de: 'Für alle Zeiten, die zu keinem Standort gehören, etwa auf dieser Seite.',
    pt: 'Para todas as horas que não são de um local, como as desta página.',
  },
  onlyWhenOpen: {
    en: 'The API takes orders only while a location is open',
    de: 'Die API nimmt Bestellungen nur an, solange ein Standort geöffnet ist',
    pt: 'A API só aceita pedidos enquanto um local está aberto',
  },
  depleteAt: {
    en: 'Stock is taken when an order is',
    de: 'Bestand wird abgezogen, wenn eine Bestellung',
    pt: 'O stock é descontado quando um pedido é',
  },
  whenPlaced: { en: 'placed', de: 'eingeht', pt: 'feito' },
  whenConfirmed: { en: 'confirmed', de: 'bestätigt wird', pt: 'confirmado' },
  whenCompleted: { en: 'completed', de: 'abgeschlossen wird', pt: 'concluído' },

  limits: { en: 'Order limit', de: 'Bestellgrenze', pt: 'Limite de pedidos' },
  limitsHelp: {
    en: 'What one address may order through the API. One more is refused with 429.',
    de: 'Was eine Adresse über die API bestellen darf. Eine mehr wird mit 429 abgelehnt.',
    pt: 'O que um endereço pode pedir pela API. Mais um é recusado com 429.',
  },
  orders: { en: 'Orders', de: 'Bestellungen', pt: 'Pedidos' },
  seconds: { en: 'Within (seconds)', de: 'Innerhalb von (Sekunden)', pt: 'No prazo de (segundos)' },
  ownerOnly: {
    en: 'Only an owner can change this.',
    de: 'Das kann nur die Inhaberin oder der Inhaber ändern.',
    pt: 'Só um proprietário pode alterar isto.',
  },

  tables: { en: 'Tables', de: 'Tische', pt: 'Mesas' },
  tablesHelp: {
    en: 'They come from the restaurant file.',
    de: 'Sie stehen in der Restaurantdatei.',
    pt: 'Vêm do ficheiro do restaurante.',
  },
  noTables: { en: 'No tables', de: 'Keine Tische', pt: 'Sem mesas' },
  code: { en: 'Code', de: 'Kennung', pt: 'Código' },
  table: { en: 'Table', de: 'Tisch', pt: 'Mesa' },

  program: { en: 'Program and file', de: 'Programm und Datei', pt: 'Programa e ficheiro' },
  version: { en: 'Version', de: 'Version', pt: 'Versão' },
  file: { en: 'Database file', de: 'Datenbankdatei', pt: 'Ficheiro da base de dados' },
  size: { en: 'Size', de: 'Größe', pt: 'Tamanho' },
  mebibytes: { en: (size: string) => `${size} MiB`, de: size => `${size} MiB`, pt: size => `${size} MiB` },

  alarm: {
    en: (at: string) => `The backup of ${at} was not made.`,
    de: at => `Die Sicherung vom ${at} wurde nicht gemacht.`,
    pt: at => `A cópia de segurança de ${at} não foi feita.`,
  },
  alarmHelp: {
    en: 'A nightly one is tried again every hour. Mend the cause, then make one now.',
    de: 'Eine nächtliche wird stündlich wieder versucht. Beheben Sie die Ursache und machen Sie dann gleich eine.',
    pt: 'A noturna é tentada de novo a cada hora. Resolva a causa e depois faça uma já.',
  },
  noNightly: {
    en: 'No backup is made by itself. Choose an hour at which nobody orders.',
    de: 'Es wird keine Sicherung von selbst gemacht. Wählen Sie eine Stunde, in der niemand bestellt.',
    pt: 'Nenhuma cópia é feita automaticamente. Escolha uma hora em que ninguém peça.',
  },
  underWay: {
    en: (since: string) => `A backup is being made since ${since}.`,
    de: since => `Seit ${since} wird eine Sicherung gemacht.`,
    pt: since => `Está a ser feita uma cópia desde as ${since}.`,
  },
  nightly: { en: 'Every night', de: 'Jede Nacht', pt: 'Todas as noites' },
  hour: { en: 'At', de: 'Um', pt: 'Às' },
  never: { en: 'never', de: 'nie', pt: 'nunca' },
  kept: { en: 'How many to keep', de: 'Wie viele aufbewahrt werden', pt: 'Quantas guardar' },
  keptHelp: {
    en: (byHand: number) =>
      `Older nightly ones are deleted after a new one was made. Of those made by hand, ${byHand} are kept.`,
    de: byHand =>
      `Ältere nächtliche werden gelöscht, nachdem eine neue gemacht wurde. Von Hand gemachte bleiben ${byHand}.`,
    pt: byHand => `As noturnas mais antigas são apagadas depois de feita uma nova. Das feitas à mão ficam ${byHand}.`,
  },
  sameDisk: {
    en: 'Backups are on the same disk as the orders. Download one from time to time, and keep it somewhere else.',
    de: 'Sicherungen liegen auf demselben Datenträger wie die Bestellungen. Laden Sie ab und zu eine herunter und bewahren Sie sie anderswo auf.',
    pt: 'As cópias estão no mesmo disco que os pedidos. Descarregue uma de vez em quando e guarde-a noutro lugar.',
  },
  makeNow: { en: 'Make a backup now', de: 'Jetzt sichern', pt: 'Fazer uma cópia agora' },
  backupFile: { en: 'File', de: 'Datei', pt: 'Ficheiro' },
  made: { en: 'Made', de: 'Gemacht', pt: 'Feita' },
  byHand: { en: 'by hand', de: 'von Hand', pt: 'à mão' },
  byNight: { en: 'nightly', de: 'nächtlich', pt: 'noturna' },
  missing: { en: 'no longer in the folder', de: 'nicht mehr im Ordner', pt: 'já não está na pasta' },
  download: { en: 'Download', de: 'Herunterladen', pt: 'Descarregar' },
  noBackups: {
    en: 'There is no backup yet. Each one will be listed here.',
    de: 'Es gibt noch keine Sicherung. Hier steht dann jede.',
    pt: 'Ainda não há cópias. Aqui ficará cada uma.',
  },
  folder: { en: 'Folder', de: 'Ordner', pt: 'Pasta' },
  restore: { en: 'When you need one', de: 'Wenn Sie eine brauchen', pt: 'Quando precisar de uma' },
  restoreStop: {
    en: 'Stop Servery, so that nobody orders into the old file.',
    de: 'Beenden Sie Servery, damit niemand mehr in die alte Datei bestellt.',
    pt: 'Pare o Servery, para que ninguém peça no ficheiro antigo.',
  },
  restoreMove: {
    en: 'Move the database and the files beside it that begin with its name into a new folder. Delete none of them.',
    de: 'Verschieben Sie die Datenbank und die Dateien daneben, die mit ihrem Namen beginnen, in einen neuen Ordner. Löschen Sie keine davon.',
    pt: 'Mova a base de dados e os ficheiros ao lado que começam pelo seu nome para uma pasta nova. Não apague nenhum.',
  },
  restoreCopy: {
    en: 'Copy the backup to the name of the database, for the user that runs Servery.',
    de: 'Kopieren Sie die Sicherung an den Namen der Datenbank, für den Benutzer, unter dem Servery läuft.',
    pt: 'Copie a cópia de segurança para o nome da base de dados, para o utilizador que executa o Servery.',
  },
  restoreStart: {
    en: 'Start Servery and examine it here.',
    de: 'Starten Sie Servery und prüfen Sie es hier.',
    pt: 'Inicie o Servery e verifique-o aqui.',
  },
  restoreLost: {
    en: 'What came after the backup is not in it, and its order numbers are used again.',
    de: 'Was nach der Sicherung kam, fehlt darin, und die Nummern dieser Bestellungen werden noch einmal vergeben.',
    pt: 'O que veio depois da cópia não está nela, e os números desses pedidos voltam a ser usados.',
  },
  restoreGuide: {
    en: 'docs/recovery.md has the commands, for every case.',
    de: 'docs/recovery.md nennt die Befehle, für jeden Fall.',
    pt: 'docs/recovery.md tem os comandos, para cada caso.',
  },

  examineHelp: {
    en: 'Reads the whole file and looks at the disk, the clock, the accounts and the menu. In a large file this takes a while; orders go on.',
    de: 'Liest die ganze Datei und sieht nach Datenträger, Uhr, Konten und Speisekarte. In einer großen Datei dauert das; Bestellungen gehen weiter.',
    pt: 'Lê o ficheiro inteiro e verifica o disco, o relógio, as contas e a ementa. Num ficheiro grande demora; os pedidos continuam.',
  },
  examine: { en: 'Examine now', de: 'Jetzt prüfen', pt: 'Verificar agora' },
  well: { en: 'Servery is well.', de: 'Mit Servery ist alles in Ordnung.', pt: 'Está tudo bem com o Servery.' },
  problems: {
    en: (count: number) => plural('en', count, { one: '1 problem', other: `${count} problems` }),
    de: count => plural('de', count, { one: '1 Problem', other: `${count} Probleme` }),
    pt: count => plural('pt', count, { one: '1 problema', other: `${count} problemas` }),
  },
  warnings: {
    en: (count: number) => plural('en', count, { one: '1 warning', other: `${count} warnings` }),
    de: count => plural('de', count, { one: '1 Warnung', other: `${count} Warnungen` }),
    pt: count => plural('pt', count, { one: '1 aviso', other: `${count} avisos` }),
  },
  problem: { en: 'Problem', de: 'Problem', pt: 'Problema' },
  warning: { en: 'Warning', de: 'Warnung', pt: 'Aviso' },
  examineGuide: {
    en: 'docs/recovery.md says what to do about each.',
    de: 'docs/recovery.md sagt, was jeweils zu tun ist.',
    pt: 'docs/recovery.md diz o que fazer em cada caso.',
  },

  who: { en: 'Who', de: 'Wer', pt: 'Quem' },
  since: { en: 'From', de: 'Ab', pt: 'Desde' },
  order: { en: 'Order', de: 'Bestellung', pt: 'Pedido' },
  numberOrId: {
    en: 'Order (number or id)',
    de: 'Bestellung (Nummer oder Kennung)',
    pt: 'Pedido (número ou identificador)',
  },
  show: { en: 'Show', de: 'Anzeigen', pt: 'Mostrar' },
  showAll: { en: 'Show all', de: 'Alle anzeigen', pt: 'Mostrar tudo' },
  older: { en: 'Older', de: 'Ältere', pt: 'Mais antigas' },
  newest: { en: 'Newest', de: 'Neueste', pt: 'Mais recentes' },
  time: { en: 'Time', de: 'Zeit', pt: 'Hora' },
  what: { en: 'What', de: 'Was', pt: 'O quê' },
  noActivity: { en: 'Nothing was done.', de: 'Es wurde nichts getan.', pt: 'Nada foi feito.' },
  noMatch: { en: 'Nothing matches.', de: 'Nichts passt dazu.', pt: 'Nada corresponde.' },
  unknownOrder: { en: 'There is no such order.', de: 'Diese Bestellung gibt es nicht.', pt: 'Esse pedido não existe.' },
})
