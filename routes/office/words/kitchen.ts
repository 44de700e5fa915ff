import { plural, sentences } from '../../../display/language.ts'

/** The words of the page Kitchen. */
export const words = sentences({
  title: { en: 'Kitchen', de: 'Küche', pt: 'Cozinha' },
  places: { en: 'Locations', de: 'Standorte', pt: 'Locais' },
  printers: { en: 'Printers', de: 'Drucker', pt: 'Impressoras' },
  printer: { en: 'Look at the printer', de: 'Drucker ansehen', pt: 'Ver a impressora' },
  devices: { en: 'Devices', de: 'Geräte', pt: 'Dispositivos' },
  lookBack: { en: 'Look back', de: 'Rückblick', pt: 'Rever' },
  alarms: { en: 'Alarms', de: 'Alarme', pt: 'Alarmes' },
  noKitchen: {
    en: 'This location has no kitchen stations. They are part of the restaurant file.',
    de: 'Dieser Standort hat keine Küchenstationen. Sie stehen in der Restaurantdatei.',
    pt: 'Este local não tem postos de cozinha. Fazem parte do ficheiro do restaurante.',
  },

  // Stations
  stations: { en: 'Stations', de: 'Stationen', pt: 'Postos' },
  nothingOpen: { en: 'Nothing is open.', de: 'Nichts ist offen.', pt: 'Nada em aberto.' },
  open: {
    en: (tickets: number, lines: number) =>
      `${plural('en', tickets, { one: '1 ticket', other: `${tickets} tickets` })}, ${plural('en', lines, { one: '1 line', other: `${lines} lines` })}`,
    de: (tickets, lines) =>
      `${plural('de', tickets, { one: '1 Bon', other: `${tickets} Bons` })}, ${plural('de', lines, { one: '1 Position', other: `${lines} Positionen` })}`,
    pt: (tickets, lines) =>
      `${plural('pt', tickets, { one: '1 talão', other: `${tickets} talões` })}, ${plural('pt', lines, { one: '1 linha', other: `${lines} linhas` })}`,
  },
  oldest: { en: 'Oldest', de: 'Ältester', pt: 'Mais antigo' },
  minutes: {
    en: (count: number) => `${count} min`,
    de: count => `${count} Min.`,
    pt: count => `${count} min`,
  },
  hours: {
    en: (count: number) => `${count} hours`,
    de: count => `${count} Stunden`,
    pt: count => `${count} horas`,
  },
  lately: { en: 'Last 30 minutes', de: 'Letzte 30 Minuten', pt: 'Últimos 30 minutos' },
  pace: {
    en: (tickets: number, median: number, p90: number) =>
      `${plural('en', tickets, { one: '1 ticket', other: `${tickets} tickets` })}: typically ${median} min, 9 of 10 within ${p90} min`,
    de: (tickets, median, p90) =>
      `${plural('de', tickets, { one: '1 Bon', other: `${tickets} Bons` })}: meist ${median} Min., 9 von 10 in ${p90} Min.`,
    pt: (tickets, median, p90) =>
      `${plural('pt', tickets, { one: '1 talão', other: `${tickets} talões` })}: normalmente ${median} min, 9 em 10 em ${p90} min`,
  },
  nothingDone: { en: 'nothing finished', de: 'nichts fertig geworden', pt: 'nada terminado' },
  closed: {
    en: (to: string) => `Closed; ${to} prepares its dishes`,
    de: to => `Geschlossen; ${to} übernimmt`,
    pt: to => `Fechado; ${to} prepara os pratos`,
  },

  // Screens
  live: { en: 'live', de: 'aktiv', pt: 'ativo' },
  isSilent: { en: 'silent', de: 'meldet sich nicht', pt: 'sem sinal' },
  isOff: { en: 'no screen is on', de: 'kein Bildschirm an', pt: 'nenhum ecrã ligado' },
  noScreen: { en: 'no screen', de: 'kein Bildschirm', pt: 'sem ecrã' },
  isLate: { en: 'does not show everything', de: 'zeigt nicht alles', pt: 'não mostra tudo' },
  heardAt: {
    en: (time: string) => `last heard from at ${time}`,
    de: time => `zuletzt gemeldet um ${time}`,
    pt: time => `deu sinal às ${time}`,
  },
  neverHeard: {
    en: 'not heard from since the server started',
    de: 'seit dem Start des Servers nicht gemeldet',
    pt: 'sem sinal desde o arranque do servidor',
  },
  isBehind: { en: 'not everything shown yet', de: 'zeigt noch nicht alles', pt: 'ainda não mostra tudo' },
  noSound: { en: 'no sound', de: 'ohne Ton', pt: 'sem som' },
  maySleep: { en: 'may go to sleep', de: 'kann einschlafen', pt: 'pode adormecer' },
  isHidden: { en: 'not in front', de: 'nicht im Vordergrund', pt: 'não está à frente' },

  // What guests are told
  guests: { en: 'Guests', de: 'Gäste', pt: 'Clientes' },
  wait: {
    en: (from: number, to: number) => `Guests are told to wait ${from} to ${to} minutes.`,
    de: (from, to) => `Gästen werden ${from} bis ${to} Minuten Wartezeit genannt.`,
    pt: (from, to) => `Aos clientes é indicada uma espera de ${from} a ${to} minutos.`,
  },
  busy: { en: 'Busy', de: 'Viel Betrieb', pt: 'Casa cheia' },
  busyHelp: {
    en: 'Guests are told the usual wait now. While the location is busy, they are told a longer wait, and can still order.',
    de: 'Gästen wird jetzt die übliche Wartezeit genannt. Bei viel Betrieb wird ihnen eine längere genannt; bestellen können sie weiter.',
    pt: 'Agora é indicada aos clientes a espera habitual. Com a casa cheia é indicada uma espera maior, e podem continuar a pedir.',
  },
  more: {
    en: (count: number) => `+${count} min`,
    de: count => `+${count} Min.`,
    pt: count => `+${count} min`,
  },
  isBusy: {
    en: (minutes: number, since: string, by: string) => `${minutes} minutes longer ${since} by ${by}`,
    de: (minutes, since, by) => `${minutes} Minuten länger ${since} durch ${by}`,
    pt: (minutes, since, by) => `Mais ${minutes} minutos ${since} por ${by}`,
  },
  until: {
    en: (end: string) => `until ${end}`,
    de: end => `bis ${end}`,
    pt: end => `até às ${end}`,
  },
  untilEnded: { en: 'until somebody ends it', de: 'bis jemand es beendet', pt: 'até alguém terminar' },
  endBusy: { en: 'No longer busy', de: 'Kein großer Betrieb mehr', pt: 'Já não está cheia' },
  pause: { en: 'Pause', de: 'Pause', pt: 'Pausa' },
  pauseHelp: {
    en: 'Guests can order now. While orders are paused, they cannot; staff still can.',
    de: 'Gäste können jetzt bestellen. In der Pause können sie es nicht, das Personal schon.',
    pt: 'Os clientes podem pedir agora. Durante a pausa não podem; o pessoal continua a poder.',
  },
  pauseNow: { en: 'Pause orders', de: 'Bestellungen anhalten', pt: 'Pôr pedidos em pausa' },
  resume: { en: 'Take orders again', de: 'Wieder annehmen', pt: 'Voltar a aceitar pedidos' },
  howLong: { en: 'For', de: 'Für', pt: 'Durante' },
  halfHour: { en: '30 minutes', de: '30 Minuten', pt: '30 minutos' },
  oneHour: { en: '1 hour', de: '1 Stunde', pt: '1 hora' },
  twoHours: { en: '2 hours', de: '2 Stunden', pt: '2 horas' },

  // Stations that are closed
  closing: { en: 'Close a station', de: 'Eine Station schließen', pt: 'Fechar um posto' },
  closingHelp: {
    en: 'While a station is closed, another one prepares its dishes and shows its open tickets. It opens automatically when the next business day starts.',
    de: 'Solange eine Station geschlossen ist, bereitet eine andere ihre Gerichte zu; die offenen Bons gehen auch dorthin. Mit dem nächsten Geschäftstag öffnet sie von selbst.',
    pt: 'Enquanto um posto está fechado, outro posto prepara os pratos dele e recebe os talões abertos. Reabre por si quando começa o dia seguinte.',
  },
  closeStation: { en: 'Station', de: 'Station', pt: 'Posto' },
  closeTo: { en: 'Its dishes go to', de: 'Ihre Gerichte gehen an', pt: 'Os pratos vão para' },
  closeNow: { en: 'Close', de: 'Schließen', pt: 'Fechar' },
  openAgain: { en: 'Open again', de: 'Wieder öffnen', pt: 'Reabrir' },

  // Backups
  backups: { en: 'If a screen fails', de: 'Wenn ein Bildschirm ausfällt', pt: 'Se um ecrã falhar' },
  backupsHelp: {
    en: 'Tickets that no screen of a station has shown within 20 seconds also appear on the screens of its backup.',
    de: 'Bons, die kein Bildschirm einer Station innerhalb von 20 Sekunden gezeigt hat, erscheinen auch auf denen der Vertretung.',
    pt: 'Os talões que nenhum ecrã de um posto mostrou em 20 segundos aparecem também nos ecrãs do posto substituto.',
  },
  backupOf: {
    en: (station: string) => `For ${station}`,
    de: station => `Für ${station}`,
    pt: station => `Para ${station}`,
  },
  noBackup: { en: 'no other station', de: 'keine andere Station', pt: 'nenhum outro posto' },
  save: { en: 'Save', de: 'Speichern', pt: 'Guardar' },
})
