import type { LoggedAttempt, LostEvent } from '../store/outbox/delivery-log.ts'
import { type Column, count, words } from './cell.ts'
import { instantJson, secondText } from './instant.ts'
import type { Language } from './language.ts'
import { orderNumber } from './order.ts'
import { attemptStateText } from './terms.ts'

/** The delivery log of section 6; instants are shown in a time zone. */
export function attemptColumns(zone: string): Column<LoggedAttempt>[] {
  return [
    { key: 'at', head: 'at', cell: attempt => words(secondText(attempt.createdAt, zone)) },
    { key: 'type', head: 'event', cell: attempt => words(attempt.type) },
    { key: 'order_id', head: 'order', cell: attempt => count(attempt.orderId) },
    { key: 'state', head: '', cell: attempt => words(attemptStateText(attempt.state)) },
    { key: 'reason', head: '', cell: attempt => words(endingText(attempt)) },
    { key: 'ms', head: 'took', cell: ({ tookMs }) => (tookMs === null ? words(null) : count(tookMs, 'ms')) },
    { key: 'signed', head: 'signed', cell: attempt => words(signedText(attempt)) },
    { key: 'endpoint_id', head: 'endpoint', cell: attempt => count(attempt.endpointId) },
    { key: 'url', head: '', cell: attempt => words(attempt.url) },
    { key: 'delivery_id', head: 'delivery', cell: attempt => words(attempt.deliveryId) },
  ]
}

/** The events that must be handled by hand; instants are shown in a time zone. */
export function lostColumns(zone: string): Column<LostEvent>[] {
  return [
    { key: 'at', head: 'at', cell: event => words(secondText(event.createdAt, zone)) },
    { key: 'type', head: 'event', cell: event => words(event.type) },
    { key: 'order_number', head: 'order', cell: event => words(orderNumber(event.orderNumber)) },
    { key: 'order_id', head: 'id', cell: event => count(event.orderId) },
    { key: 'why', head: 'why', cell: event => words(lossText(event)) },
  ]
}

/** The same events for programs, with instants in UTC. */
export const lostCsvColumns: Column<LostEvent>[] = [
  { key: 'at', head: 'at', cell: event => words(instantJson(event.createdAt)) },
  { key: 'type', head: 'event', cell: event => words(event.type) },
  { key: 'delivery_id', head: 'delivery', cell: event => words(event.deliveryId) },
  { key: 'order_id', head: 'id', cell: event => count(event.orderId) },
  { key: 'order_number', head: 'order', cell: event => words(orderNumber(event.orderNumber)) },
  { key: 'location_id', head: 'location', cell: event => count(event.locationId) },
  { key: 'why', head: 'why', cell: event => words(lossText(event)) },
]

/** The HTTP status or the reason for a failure; both if the response started with a success status. */
export function endingText(
  { status, reason }: Pick<LoggedAttempt, 'status' | 'reason'>,
  language: Language = 'en',
): string {
  const responded = status === null ? [] : [`HTTP ${status}`]
  return [...responded, ...(reason === null ? [] : [reasonText(reason, language)])].join(', ')
}

/** The reason for a failure, which the log keeps in English. */
function reasonText(reason: string, language: Language): string {
  if (language === 'en') return reason
  for (const [kept, de, pt] of reasonTexts) {
    if (kept.test(reason)) return reason.replace(kept, language === 'de' ? de : pt)
  }
  return reason
}

const reasonTexts: [kept: RegExp, de: string, pt: string][] = [
  [/^the endpoint was removed$/, 'der Empfänger wurde entfernt', 'o recetor foi removido'],
  [/^the endpoint was paused$/, 'der Empfänger wurde angehalten', 'o recetor foi posto em pausa'],
  [/^it waited for more than (\d+) minutes$/, 'sie wartete mehr als $1 Minuten', 'esperou mais de $1 minutos'],
  [
    /^Servery ended while it was being attempted$/,
    'Servery wurde während des Versuchs beendet',
    'o Servery terminou durante a tentativa',
  ],
  [
    /^it was not sent, because the disk could not be written$/,
    'sie wurde nicht gesendet, weil sich auf den Datenträger nicht schreiben ließ',
    'não foi enviado, porque não foi possível escrever no disco',
  ],
  [/^it did not end within (\d+) seconds$/, 'sie war nach $1 Sekunden nicht beendet', 'não terminou em $1 segundos'],
  [/^too many interim answers$/, 'zu viele vorläufige Antworten', 'demasiadas respostas provisórias'],
  [
    /^the connection was closed before the end of the answer$/,
    'die Verbindung wurde vor dem Ende der Antwort geschlossen',
    'a ligação foi fechada antes do fim da resposta',
  ],
  [
    /^the connection was closed without an answer$/,
    'die Verbindung wurde ohne Antwort geschlossen',
    'a ligação foi fechada sem resposta',
  ],
  [
    /^the connection was closed while sending$/,
    'die Verbindung wurde während des Sendens geschlossen',
    'a ligação foi fechada durante o envio',
  ],
  [/^the name was not found$/, 'der Name wurde nicht gefunden', 'o nome não foi encontrado'],
  [/^the name could not be looked up$/, 'der Name ließ sich nicht auflösen', 'não foi possível resolver o nome'],
  [/^the connection was refused$/, 'die Verbindung wurde abgelehnt', 'a ligação foi recusada'],
  [/^the connection was reset$/, 'die Verbindung wurde zurückgesetzt', 'a ligação foi interrompida'],
  [/^the connection timed out$/, 'die Verbindung kam nicht rechtzeitig zustande', 'a ligação demorou demasiado'],
  [/^the connection failed/, 'die Verbindung schlug fehl', 'a ligação falhou'],
  [/^the host cannot be reached$/, 'der Rechner ist nicht erreichbar', 'não é possível chegar ao servidor'],
  [/^the network cannot be reached$/, 'das Netz ist nicht erreichbar', 'não é possível chegar à rede'],
  [/^TLS failed$/, 'TLS schlug fehl', 'o TLS falhou'],
  [/^the endpoint does not speak TLS$/, 'der Empfänger spricht kein TLS', 'o recetor não usa TLS'],
  [/^the certificate is self-signed$/, 'das Zertifikat ist selbst signiert', 'o certificado é autoassinado'],
  [
    /^the certificate is from an authority that is not trusted$/,
    'das Zertifikat stammt von einer Stelle, der nicht vertraut wird',
    'o certificado é de uma autoridade em que não se confia',
  ],
  [/^the certificate has expired$/, 'das Zertifikat ist abgelaufen', 'o certificado expirou'],
  [/^the certificate is not valid yet$/, 'das Zertifikat gilt noch nicht', 'o certificado ainda não é válido'],
  [
    /^the certificate is for another name$/,
    'das Zertifikat gilt für einen anderen Namen',
    'o certificado é de outro nome',
  ],
  [
    /^the headers of the answer are too large$/,
    'die Kopfzeilen der Antwort sind zu groß',
    'os cabeçalhos da resposta são demasiado grandes',
  ],
  [/^the answer is not HTTP/, 'die Antwort ist kein HTTP', 'a resposta não é HTTP'],
  [/^the address (.*) is not allowed$/, 'die Adresse $1 ist nicht erlaubt', 'o endereço $1 não é permitido'],
]

const unsigned: Record<Language, string> = { en: 'unsigned', de: 'nicht signiert', pt: 'sem assinatura' }

/** "v1, sha256", "v1 (2), sha256" or "unsigned"; empty if nothing was sent. */
export function signedText({ signatures }: Pick<LoggedAttempt, 'signatures'>, language: Language = 'en'): string {
  if (signatures === null) return ''
  if (signatures === 0) return unsigned[language]
  return signatures === 1 ? 'v1, sha256' : `v1 (${signatures}), sha256`
}

function lossText({ attempts }: LostEvent): string {
  return attempts.map(attempt => `endpoint ${attempt.endpointId}: ${endingText(attempt)}`).join('; ')
}

/** The names of the signature schemes, with which the values of the two headers begin. */
export function schemesOf(signatures: number | null): string[] {
  return signatures === null || signatures === 0 ? [] : ['v1', 'sha256']
}

export function attemptJson(attempt: LoggedAttempt) {
  const { signatures, startedAt, response } = attempt
  return {
    id: attempt.id,
    at: instantJson(attempt.createdAt),
    type: attempt.type,
    delivery_id: attempt.deliveryId,
    order_id: attempt.orderId,
    endpoint_id: attempt.endpointId,
    url: attempt.url,
    state: attempt.state,
    received: attempt.state === 'received',
    attempted_at: startedAt === null ? null : instantJson(startedAt),
    status: attempt.status,
    reason: attempt.reason,
    ms: attempt.tookMs,
    signed: signatures === null ? null : signatures > 0,
    schemes: schemesOf(signatures),
    response: response === null ? null : response.toString('utf8'),
  }
}

export function lostJson(event: LostEvent) {
  return {
    at: instantJson(event.createdAt),
    type: event.type,
    delivery_id: event.deliveryId,
    order_id: event.orderId,
    order_number: orderNumber(event.orderNumber),
    location_id: event.locationId,
    attempts: event.attempts.map(({ endpointId, url, status, reason }) => ({
      endpoint_id: endpointId,
      url,
      status,
      reason,
    })),
  }
}
