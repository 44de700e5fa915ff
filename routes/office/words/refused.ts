import { sentences } from '../../../display/language.ts'

export const words = sentences({
  help: {
    en: 'Requests of the last day that the API refused. They are kept in memory only, without contents, until the server stops.',
    de: 'Anfragen des letzten Tages, die die API abgelehnt hat. Sie stehen nur im Speicher, ohne Inhalte, bis der Server beendet wird.',
    pt: 'Pedidos HTTP do último dia que a API recusou. Ficam só em memória, sem conteúdo, até o servidor parar.',
  },
  none: {
    en: 'No request was refused since yesterday.',
    de: 'Seit gestern wurde keine Anfrage abgelehnt.',
    pt: 'Nenhum pedido HTTP foi recusado desde ontem.',
  },
  reason: { en: 'Reason', de: 'Grund', pt: 'Motivo' },
  place: { en: 'Where', de: 'Wo', pt: 'Onde' },
  address: { en: 'Address', de: 'Adresse', pt: 'Endereço' },
  count: { en: 'Times', de: 'Anzahl', pt: 'Vezes' },
  last: { en: 'Last', de: 'Zuletzt', pt: 'Último' },
  logNumber: {
    en: (id: string) => `in the log: ${id}`,
    de: id => `im Protokoll: ${id}`,
    pt: id => `no registo: ${id}`,
  },
  limit: { en: 'Order limit', de: 'Bestellgrenze', pt: 'Limite de pedidos' },
  limitHelp: {
    en: (orders: string, minutes: string) =>
      `Each address may create ${orders} orders in ${minutes} minutes. What is used of it now:`,
    de: (orders, minutes) =>
      `Jede Adresse kann in ${minutes} Minuten ${orders} Bestellungen aufgeben. Davon ist jetzt verbraucht:`,
    pt: (orders, minutes) =>
      `Cada endereço pode fazer ${orders} pedidos em ${minutes} minutos. O que está usado agora:`,
  },
  unused: {
    en: 'No address has created an order in this time.',
    de: 'In dieser Zeit hat keine Adresse eine Bestellung aufgegeben.',
    pt: 'Nenhum endereço fez um pedido neste período.',
  },
  used: {
    en: (orders: string, most: string) => `${orders} of ${most}`,
    de: (orders, most) => `${orders} von ${most}`,
    pt: (orders, most) => `${orders} de ${most}`,
  },
  codes: {
    en: {
      INVALID_TOKEN: 'The token is missing or wrong.',
      MODULE_DISABLED: 'The API module is off.',
      API_DISABLED: 'The API is off.',
      RATE_LIMITED: 'The order limit of this address is used up.',
      UNKNOWN_LOCATION: 'There is no such published location.',
      NOT_FOUND: 'The address is wrong: there is no such operation.',
      METHOD_NOT_ALLOWED: 'The method is wrong for this address.',
      UNSUPPORTED_MEDIA_TYPE: 'The body is not announced as JSON.',
      PAYLOAD_TOO_LARGE: 'The body is too large.',
      ORDER_FAILED: 'The server could not save the order; the log says why.',
    } as Record<string, string>,
    de: {
      INVALID_TOKEN: 'Der Token fehlt oder ist falsch.',
      MODULE_DISABLED: 'Das API-Modul ist aus.',
      API_DISABLED: 'Die API ist aus.',
      RATE_LIMITED: 'Die Bestellgrenze dieser Adresse ist ausgeschöpft.',
      UNKNOWN_LOCATION: 'Es gibt keinen solchen veröffentlichten Standort.',
      NOT_FOUND: 'Die Adresse ist falsch: Es gibt keine solche Operation.',
      METHOD_NOT_ALLOWED: 'Die Methode ist für diese Adresse falsch.',
      UNSUPPORTED_MEDIA_TYPE: 'Der Inhalt ist nicht als JSON angekündigt.',
      PAYLOAD_TOO_LARGE: 'Der Inhalt ist zu groß.',
      ORDER_FAILED: 'Der Server konnte die Bestellung nicht speichern; das Protokoll sagt, warum.',
    },
    pt: {
      INVALID_TOKEN: 'O token falta ou está errado.',
      MODULE_DISABLED: 'O módulo da API está desligado.',
      API_DISABLED: 'A API está desligada.',
      RATE_LIMITED: 'O limite de pedidos deste endereço está esgotado.',
      UNKNOWN_LOCATION: 'Não existe esse local publicado.',
      NOT_FOUND: 'O endereço está errado: não existe essa operação.',
      METHOD_NOT_ALLOWED: 'O método está errado para este endereço.',
      UNSUPPORTED_MEDIA_TYPE: 'O corpo não é anunciado como JSON.',
      PAYLOAD_TOO_LARGE: 'O corpo é demasiado grande.',
      ORDER_FAILED: 'O servidor não conseguiu guardar o pedido; o registo diz porquê.',
    },
  },
})
