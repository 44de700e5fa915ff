import { plural, sentences } from '../../../display/language.ts'

export const words = sentences({
  unsigned: {
    en: 'Deliveries are not signed: a receiver cannot tell whether they come from here.',
    de: 'Die Zustellungen sind nicht signiert: Ein Empfänger kann nicht erkennen, ob sie von hier kommen.',
    pt: 'Os envios não são assinados: quem os recebe não sabe se vêm daqui.',
  },
  generateSecret: { en: 'Generate a secret', de: 'Geheimnis erzeugen', pt: 'Criar um segredo' },

  endpoints: { en: 'Endpoints', de: 'Empfänger', pt: 'Recetores' },
  noEndpoints: {
    en: 'No other system hears of orders yet. Add the address that it gives you.',
    de: 'Noch erfährt kein anderes System von Bestellungen. Fügen Sie die Adresse hinzu, die es Ihnen nennt.',
    pt: 'Ainda nenhum outro sistema sabe dos pedidos. Adicione o endereço que ele lhe indica.',
  },
  address: { en: 'Address', de: 'Adresse', pt: 'Endereço' },
  addressHelp: {
    en: 'It starts with https:// and must be reachable from this machine.',
    de: 'Sie beginnt mit https:// und muss von diesem Rechner aus erreichbar sein.',
    pt: 'Começa por https:// e tem de ser acessível a partir desta máquina.',
  },
  add: { en: 'Add endpoint', de: 'Empfänger hinzufügen', pt: 'Adicionar recetor' },
  state: { en: 'State', de: 'Zustand', pt: 'Estado' },
  active: { en: 'Active', de: 'Aktiv', pt: 'Ativo' },
  paused: { en: 'Paused', de: 'Angehalten', pt: 'Em pausa' },
  lastDay: { en: 'Last 24 hours', de: 'Letzte 24 Stunden', pt: 'Últimas 24 horas' },
  received: {
    en: (count: string) => `${count} received`,
    de: count => `${count} angekommen`,
    pt: count => `${count} recebidos`,
  },
  lost: { en: (count: string) => `${count} lost`, de: count => `${count} verloren`, pt: count => `${count} perdidos` },
  nothing: { en: 'nothing sent', de: 'nichts gesendet', pt: 'nada enviado' },
  lastDelivery: { en: 'Last delivery', de: 'Letzte Zustellung', pt: 'Último envio' },
  test: { en: 'Send a test', de: 'Test senden', pt: 'Enviar um teste' },
  pause: { en: 'Pause', de: 'Anhalten', pt: 'Pôr em pausa' },
  resume: { en: 'Resume', de: 'Fortsetzen', pt: 'Retomar' },
  pauseOrRemove: { en: 'Pause or remove', de: 'Anhalten oder entfernen', pt: 'Pôr em pausa ou remover' },
  justRemove: { en: 'Remove', de: 'Entfernen', pt: 'Remover' },
  pauseHelp: {
    en: 'While it is paused, events are lost to it; they are listed under Lost.',
    de: 'Solange er angehalten ist, gehen ihm Ereignisse verloren; sie stehen unter „Verloren“.',
    pt: 'Enquanto estiver em pausa, perde eventos; ficam listados em «Perdidos».',
  },
  remove: {
    en: (url: string) => `Remove ${url}`,
    de: url => `${url} entfernen`,
    pt: url => `Remover ${url}`,
  },

  events: { en: 'Events', de: 'Ereignisse', pt: 'Eventos' },
  eventsHelp: {
    en: 'Every endpoint gets the selected ones. With none selected, all are sent.',
    de: 'Jeder Empfänger bekommt die gewählten. Ist keines gewählt, werden alle gesendet.',
    pt: 'Cada recetor recebe os escolhidos. Sem nenhum escolhido, são todos enviados.',
  },
  placed: { en: 'an order is placed', de: 'eine Bestellung geht ein', pt: 'é feito um pedido' },
  updated: {
    en: 'an order is entered, edited or paid here',
    de: 'eine Bestellung wird hier eingegeben, geändert oder bezahlt',
    pt: 'um pedido é introduzido, alterado ou pago aqui',
  },
  statusChanged: {
    en: 'the status of an order changes',
    de: 'der Status einer Bestellung ändert sich',
    pt: 'o estado de um pedido muda',
  },
  save: { en: 'Save', de: 'Speichern', pt: 'Guardar' },

  secret: { en: 'Signing secret', de: 'Geheimnis zum Signieren', pt: 'Segredo para assinar' },
  signedWith: {
    en: (count: number, newest: string) =>
      plural('en', count, {
        one: `Signed with one secret, set ${newest}`,
        other: `Signed with ${count} secrets, the newest set ${newest}`,
      }),
    de: (count, newest) =>
      plural('de', count, {
        one: `Signiert mit einem Geheimnis, gesetzt ${newest}`,
        other: `Signiert mit ${count} Geheimnissen, das neueste gesetzt ${newest}`,
      }),
    pt: (count, newest) =>
      plural('pt', count, {
        one: `Assinado com um segredo, definido em ${newest}`,
        other: `Assinado com ${count} segredos, o mais recente definido em ${newest}`,
      }),
  },
  notSigned: { en: 'Unsigned', de: 'Nicht signiert', pt: 'Sem assinatura' },
  neverShown: {
    en: 'A secret is never shown again.',
    de: 'Ein Geheimnis wird nie wieder gezeigt.',
    pt: 'Um segredo nunca volta a ser mostrado.',
  },
  rotate: { en: 'Add a new secret', de: 'Neues Geheimnis hinzufügen', pt: 'Juntar um segredo novo' },
  rotateHelp: {
    en: 'To replace it without losing an event, add a new one. Deliveries are signed with both until you retire the older.',
    de: 'Um es ohne Verlust zu ersetzen, fügen Sie ein neues hinzu. Zustellungen sind mit beiden signiert, bis Sie das ältere entfernen.',
    pt: 'Para o substituir sem perder eventos, junte um novo. Os envios são assinados com ambos até retirar o antigo.',
  },
  retireHelp: {
    en: 'Give the newest secret to every receiver, then retire the older ones.',
    de: 'Geben Sie jedem Empfänger das neueste Geheimnis und entfernen Sie danach die älteren.',
    pt: 'Dê o segredo mais recente a cada recetor e depois retire os mais antigos.',
  },
  retire: { en: 'Retire the older secrets', de: 'Ältere Geheimnisse entfernen', pt: 'Retirar os segredos antigos' },
  own: { en: 'Use a secret of your own', de: 'Ein eigenes Geheimnis benutzen', pt: 'Usar um segredo seu' },
  ownHelp: {
    en: 'It replaces all others at once. Behind whsec_ it must be base64; anything else is used as typed.',
    de: 'Es ersetzt sofort alle anderen. Nach whsec_ muss es base64 sein; alles andere wird benutzt wie eingegeben.',
    pt: 'Substitui logo todos os outros. Depois de whsec_ tem de ser base64; tudo o resto é usado como escrito.',
  },
  setOwn: { en: 'Set this secret', de: 'Dieses Geheimnis setzen', pt: 'Definir este segredo' },
  clear: { en: 'Stop signing', de: 'Nicht mehr signieren', pt: 'Deixar de assinar' },
  clearHelp: {
    en: 'Removes all secrets. Receivers that check signatures refuse everything from then on.',
    de: 'Entfernt alle Geheimnisse. Empfänger, die Signaturen prüfen, lehnen dann alles ab.',
    pt: 'Remove todos os segredos. Os recetores que verificam assinaturas passam a recusar tudo.',
  },
  weak: {
    en: 'This secret was set. It has fewer than 24 bytes, which is weak.',
    de: 'Dieses Geheimnis wurde gesetzt. Es hat weniger als 24 Bytes, das ist schwach.',
    pt: 'Este segredo foi definido. Tem menos de 24 bytes, o que é fraco.',
  },
})
