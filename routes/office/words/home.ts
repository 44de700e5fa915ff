import { plural, sentences } from '../../../display/language.ts'

/** The words of the start page of the office. */
export const words = sentences({
  allowed: { en: 'This is done.', de: 'Das ist erledigt.', pt: 'Está feito.' },
  nothing: { en: 'Nothing needs you now.', de: 'Im Moment ist nichts zu tun.', pt: 'De momento, não há nada a fazer.' },
  look: { en: 'Look', de: 'Ansehen', pt: 'Ver' },
  late: {
    en: (count: number) => plural('en', count, { one: '1 order is late.', other: `${count} orders are late.` }),
    de: count =>
      plural('de', count, { one: '1 Bestellung ist verspätet.', other: `${count} Bestellungen sind verspätet.` }),
    pt: count => plural('pt', count, { one: '1 pedido está atrasado.', other: `${count} pedidos estão atrasados.` }),
  },
  twice: {
    en: (count: number) =>
      plural('en', count, {
        one: '1 order looks like another one sent twice.',
        other: `${count} orders look like others sent twice.`,
      }),
    de: count =>
      plural('de', count, {
        one: '1 Bestellung sieht aus, als wäre sie doppelt gesendet worden.',
        other: `${count} Bestellungen sehen aus, als wären sie doppelt gesendet worden.`,
      }),
    pt: count =>
      plural('pt', count, {
        one: '1 pedido parece ter sido enviado duas vezes.',
        other: `${count} pedidos parecem ter sido enviados duas vezes.`,
      }),
  },
  toConfirm: {
    en: (count: number) =>
      plural('en', count, {
        one: '1 table waits for its order to be confirmed.',
        other: `${count} tables wait for their orders to be confirmed.`,
      }),
    de: count =>
      plural('de', count, {
        one: '1 Tisch wartet, dass seine Bestellung bestätigt wird.',
        other: `${count} Tische warten, dass ihre Bestellungen bestätigt werden.`,
      }),
    pt: count =>
      plural('pt', count, {
        one: '1 mesa espera que o pedido seja confirmado.',
        other: `${count} mesas esperam que os pedidos sejam confirmados.`,
      }),
  },
  low: {
    en: (count: number) => plural('en', count, { one: '1 stock item is low.', other: `${count} stock items are low.` }),
    de: count =>
      plural('de', count, {
        one: '1 Artikel im Bestand wird knapp.',
        other: `${count} Artikel im Bestand werden knapp.`,
      }),
    pt: count =>
      plural('pt', count, {
        one: '1 artigo em stock está a acabar.',
        other: `${count} artigos em stock estão a acabar.`,
      }),
  },
  noMenu: {
    en: 'There is no menu yet. Import a restaurant file.',
    de: 'Es gibt noch keine Speisekarte. Importieren Sie eine Restaurantdatei.',
    pt: 'Ainda não há ementa. Importe uma ou adicione os primeiros pratos.',
  },
  backupFailed: {
    en: 'The last backup failed.',
    de: 'Die letzte Sicherung ist fehlgeschlagen.',
    pt: 'A última cópia de segurança falhou.',
  },
  noBackup: {
    en: 'No nightly backup is made. A broken disk would take every order with it.',
    de: 'Es wird keine nächtliche Sicherung gemacht. Bei einem Festplattenschaden gingen alle Bestellungen verloren.',
    pt: 'Não é feita nenhuma cópia de segurança à noite. Um disco avariado levaria todos os pedidos.',
  },
  lost: {
    en: (count: number) =>
      plural('en', count, {
        one: '1 webhook delivery of the last 24 hours was lost.',
        other: `${count} webhook deliveries of the last 24 hours were lost.`,
      }),
    de: count =>
      plural('de', count, {
        one: '1 Webhook-Zustellung der letzten 24 Stunden ging verloren.',
        other: `${count} Webhook-Zustellungen der letzten 24 Stunden gingen verloren.`,
      }),
    pt: count =>
      plural('pt', count, {
        one: '1 envio de webhook das últimas 24 horas perdeu-se.',
        other: `${count} envios de webhook das últimas 24 horas perderam-se.`,
      }),
  },
  unsigned: {
    en: 'Webhooks are sent unsigned. Generate a secret, so that receivers can check them.',
    de: 'Webhooks werden ohne Signatur gesendet. Erzeugen Sie ein Geheimnis, damit Empfänger sie prüfen können.',
    pt: 'Os webhooks são enviados sem assinatura. Crie um segredo, para que os recetores os possam verificar.',
  },
  apiOff: {
    en: 'The API is off: other programs cannot read the menu or place orders.',
    de: 'Die API ist aus: Andere Programme können weder die Speisekarte lesen noch bestellen.',
    pt: 'A API está desligada: outros programas não podem ler a ementa nem fazer pedidos.',
  },
})
