import { sentences } from '../../../display/language.ts'

/** The words that all screens of the kitchen share. The script fills in what is in braces. */
export const words = sentences({
  live: { en: 'Live {time}', de: 'Live, {time} Uhr', pt: 'Em direto {time}' },
  notLive: { en: 'NOT LIVE since {time}', de: 'NICHT LIVE seit {time}', pt: 'SEM LIGAÇÃO desde as {time}' },
  notStarted: {
    en: 'NOT LIVE: the script of this screen has not started',
    de: 'NICHT LIVE: das Skript dieses Bildschirms läuft nicht',
    pt: 'SEM LIGAÇÃO: o script deste ecrã não arrancou',
  },
  notLiveHelp: {
    en: 'New tickets and changes are not shown. Ask for them at the till and check the Wi-Fi of this device; the screen reconnects automatically.',
    de: 'Neue Bons und Änderungen fehlen hier. Fragen Sie an der Kasse danach und prüfen Sie das WLAN dieses Geräts; der Bildschirm verbindet sich von selbst wieder.',
    pt: 'Faltam aqui talões novos e alterações. Pergunte por eles na caixa e verifique o Wi-Fi deste dispositivo; o ecrã volta a ligar-se sozinho.',
  },
  unpaired: {
    en: 'This screen is no longer paired. Pair it again in the office, under Devices.',
    de: 'Dieser Bildschirm ist nicht mehr gekoppelt. Koppeln Sie ihn im Büro unter „Geräte“ neu.',
    pt: 'Este ecrã já não está emparelhado. Volte a emparelhá-lo na gestão, em Dispositivos.',
  },
  sending: { en: 'Sending …', de: 'Wird gesendet …', pt: 'A enviar …' },
  notSent: { en: 'Not sent', de: 'Nicht gesendet', pt: 'Não enviado' },
  notSentCount: { en: '{count} not sent', de: '{count} nicht gesendet', pt: '{count} por enviar' },
  notAccepted: {
    en: 'The server could not accept this. Check the ticket, then press again.',
    de: 'Der Server konnte das nicht annehmen. Prüfen Sie den Bon und drücken Sie dann erneut.',
    pt: 'O servidor não conseguiu aceitar isto. Verifique o talão e volte a carregar.',
  },
  slow: { en: 'slow', de: 'langsam', pt: 'lento' },
  late: { en: 'late', de: 'verspätet', pt: 'atrasado' },
  fresh: { en: 'New', de: 'Neu', pt: 'Novo' },
  changed: { en: 'Changed', de: 'Geändert', pt: 'Alterado' },
  freshCount: { en: 'Seen: {count} new', de: 'Gesehen: {count} neu', pt: 'Visto: {count} novos' },
  freshElsewhere: { en: '{count} new: show', de: '{count} neu: zeigen', pt: '{count} novos: mostrar' },
  outOfView: { en: '{count} more', de: '{count} weitere', pt: 'Mais {count}' },
  done: { en: 'Done', de: 'Fertig', pt: 'Pronto' },
  acknowledgeFirst: {
    en: 'Read the note first, then press A.',
    de: 'Lesen Sie zuerst den Hinweis, dann drücken Sie A.',
    pt: 'Leia primeiro a nota e depois carregue em A.',
  },
  fires: { en: '{time}, in {left}', de: '{time}, in {left}', pt: '{time}, daqui a {left}' },

  tools: { en: 'Screen', de: 'Bildschirm', pt: 'Ecrã' },
  size: { en: 'Text size', de: 'Schriftgröße', pt: 'Tamanho do texto' },
  sizeSmall: { en: 'Small', de: 'Klein', pt: 'Pequeno' },
  sizeMedium: { en: 'Medium', de: 'Mittel', pt: 'Médio' },
  sizeLarge: { en: 'Large', de: 'Groß', pt: 'Grande' },
  counts: { en: 'All-day counts', de: 'Mengen insgesamt', pt: 'Quantidades no total' },
  testSound: { en: 'Test the sound', de: 'Ton prüfen', pt: 'Testar o som' },
  keys: {
    en: 'Keys: digits select a ticket, Enter marks it as done, A acknowledges, R recalls the last one, Esc deselects.',
    de: 'Tasten: Ziffern wählen einen Bon, Enter meldet ihn fertig, A bestätigt Hinweise, R holt den letzten zurück, Esc hebt die Auswahl auf.',
    pt: 'Teclas: os algarismos escolhem um talão, Enter marca-o como pronto, A confirma as notas, R repõe o último, Esc anula a escolha.',
  },

  setUp: { en: 'Before the shift', de: 'Vor der Schicht', pt: 'Antes do turno' },
  startShift: { en: 'Start shift', de: 'Schicht beginnen', pt: 'Começar o turno' },
  lacksSound: { en: 'No sound yet', de: 'Noch kein Ton', pt: 'Ainda sem som' },
  lacksSoundHelp: {
    en: 'Press Start shift: you should hear three notes. If you do not, turn up the volume.',
    de: 'Drücken Sie „Schicht beginnen“: Sie sollten drei Töne hören. Wenn nicht, stellen Sie das Gerät lauter.',
    pt: 'Carregue em Começar o turno: deve ouvir três notas. Se não, aumente o volume.',
  },
  lacksAwake: { en: 'The screen may go dark', de: 'Der Bildschirm kann dunkel werden', pt: 'O ecrã pode apagar-se' },
  lacksAwakeHelp: {
    en: 'Press Start shift to keep it on while this page is open.',
    de: 'Drücken Sie „Schicht beginnen“, damit er an bleibt, solange diese Seite offen ist.',
    pt: 'Carregue em Começar o turno para o manter ligado enquanto esta página estiver aberta.',
  },
  unknownAwakeHelp: {
    en: 'Without https, a page cannot keep a device awake. Set this once on the device:',
    de: 'Ohne https kann eine Seite ein Gerät nicht wach halten. Stellen Sie es einmal im Gerät ein:',
    pt: 'Sem https, uma página não consegue manter um dispositivo ligado. Configure-o uma vez no dispositivo:',
  },
  android: {
    en: 'Android: keep it on its charger. Settings, Developer options: turn on Stay awake.',
    de: 'Android: am Ladegerät lassen. Einstellungen, Entwickleroptionen: „Wach bleiben“ einschalten.',
    pt: 'Android: deixe-o a carregar. Definições, Opções de programador: ligue Manter ativo.',
  },
  ipad: {
    en: 'iPad: Settings, Display & Brightness, Auto-Lock: Never.',
    de: 'iPad: Einstellungen, Anzeige & Helligkeit, Automatische Sperre: Nie.',
    pt: 'iPad: Definições, Ecrã e brilho, Bloqueio automático: Nunca.',
  },
  raspberry: {
    en: 'Raspberry Pi: sudo raspi-config, Display Options, Screen Blanking: No.',
    de: 'Raspberry Pi: sudo raspi-config, Display Options, Screen Blanking: „No“.',
    pt: 'Raspberry Pi: sudo raspi-config, Display Options, Screen Blanking: No (não).',
  },
  staysAwake: { en: 'It stays awake', de: 'Es bleibt wach', pt: 'Fica ligado' },
})
