import type { Deed } from '../store/people/activity.ts'
import type { Language } from './language.ts'
import { deviceRoleText, fulfilmentText, methodText, roleText, statusText } from './terms.ts'

/** Every act of the audit trail in the other languages; the file keeps it in English. */
const deedTexts: Record<Deed, Record<Exclude<Language, 'en'>, string>> = {
  'order placed': { de: 'Bestellung aufgegeben', pt: 'Pedido feito' },
  'order edited': { de: 'Bestellung geändert', pt: 'Pedido alterado' },
  'order confirmed': { de: 'Bestellung bestätigt', pt: 'Pedido confirmado' },
  'order completed': { de: 'Bestellung abgeschlossen', pt: 'Pedido concluído' },
  'order cancelled': { de: 'Bestellung storniert', pt: 'Pedido cancelado' },
  'order sent out': { de: 'Bestellung losgeschickt', pt: 'Pedido saiu para entrega' },
  'order fulfilled': { de: 'Bestellung ausgegeben', pt: 'Pedido entregue' },
  'hand-over taken back': { de: 'Ausgabe zurückgenommen', pt: 'Entrega anulada' },
  'payment taken': { de: 'Zahlung kassiert', pt: 'Pagamento recebido' },
  'payment voided': { de: 'Zahlung storniert', pt: 'Pagamento anulado' },
  'refund given': { de: 'Betrag erstattet', pt: 'Reembolso feito' },
  'credit given': { de: 'Gutschrift gegeben', pt: 'Crédito dado' },
  'drawer opened': { de: 'Kasse eröffnet', pt: 'Caixa aberta' },
  'cash paid in': { de: 'Bargeld eingelegt', pt: 'Entrada de dinheiro' },
  'cash paid out': { de: 'Bargeld entnommen', pt: 'Saída de dinheiro' },
  'cash counted': { de: 'Bargeld gezählt', pt: 'Dinheiro contado' },
  'day closed': { de: 'Tag abgeschlossen', pt: 'Dia fechado' },
  'order called': { de: 'Bestellung erneut aufgerufen', pt: 'Pedido chamado de novo' },
  'ticket bumped': { de: 'Bon fertig gemeldet', pt: 'Talão marcado como pronto' },
  'ticket recalled': { de: 'Bon zurückgeholt', pt: 'Talão reposto' },
  'ticket acknowledged': { de: 'Bon zur Kenntnis genommen', pt: 'Talão confirmado como lido' },
  'ticket held': { de: 'Bon zurückgehalten', pt: 'Talão posto em espera' },
  'ticket fired': { de: 'Bon abgerufen', pt: 'Talão lançado' },
  'taken off the menu': { de: 'Von der Karte genommen', pt: 'Retirado da ementa' },
  'put back on the menu': { de: 'Wieder auf die Karte gesetzt', pt: 'Reposto na ementa' },
  'station closed': { de: 'Station geschlossen', pt: 'Posto fechado' },
  'station opened': { de: 'Station geöffnet', pt: 'Posto aberto' },
  'orders paused': { de: 'Bestellungen angehalten', pt: 'Pedidos postos em pausa' },
  'orders resumed': { de: 'Bestellungen wieder freigegeben', pt: 'Pedidos retomados' },
  'table codes made': { de: 'Tischcodes erzeugt', pt: 'Códigos de mesa criados' },
  'table codes reset': { de: 'Tischcodes erneuert', pt: 'Códigos de mesa substituídos' },
  'marked as busy': { de: 'Viel Betrieb gemeldet', pt: 'Assinalado como cheio' },
  'no longer busy': { de: 'Kein großer Betrieb mehr', pt: 'Já não está cheio' },
  'station backup set': { de: 'Vertretung einer Station festgelegt', pt: 'Posto substituto definido' },
  'stock counted': { de: 'Bestand gezählt', pt: 'Stock contado' },
  'stock delivered': { de: 'Ware geliefert', pt: 'Stock recebido' },
  'stock wasted': { de: 'Verlust gebucht', pt: 'Desperdício registado' },
  'menu imported': { de: 'Speisekarte importiert', pt: 'Ementa importada' },
  'menu import undone': { de: 'Import der Speisekarte rückgängig gemacht', pt: 'Importação da ementa desfeita' },
  'menu edited': { de: 'Speisekarte bearbeitet', pt: 'Ementa editada' },
  'menu edit undone': { de: 'Änderung der Speisekarte rückgängig gemacht', pt: 'Edição da ementa desfeita' },
  'setting changed': { de: 'Einstellung geändert', pt: 'Definição alterada' },
  'token generated': { de: 'API-Token erzeugt', pt: 'Token da API criado' },
  'secret set': { de: 'Geheimnis gesetzt', pt: 'Segredo definido' },
  'secret rotated': { de: 'Neues Geheimnis hinzugefügt', pt: 'Segredo novo adicionado' },
  'older secrets retired': { de: 'Ältere Geheimnisse entfernt', pt: 'Segredos antigos retirados' },
  'secrets cleared': { de: 'Geheimnisse gelöscht', pt: 'Segredos apagados' },
  'endpoint added': { de: 'Empfänger hinzugefügt', pt: 'Recetor adicionado' },
  'endpoint removed': { de: 'Empfänger entfernt', pt: 'Recetor removido' },
  'endpoint paused': { de: 'Empfänger angehalten', pt: 'Recetor posto em pausa' },
  'endpoint resumed': { de: 'Empfänger wieder eingeschaltet', pt: 'Recetor retomado' },
  'events selected': { de: 'Ereignisse ausgewählt', pt: 'Eventos escolhidos' },
  'staff added': { de: 'Person eingetragen', pt: 'Pessoa adicionada' },
  'staff ended': { de: 'Person ausgeschieden', pt: 'Pessoa saiu' },
  'staff renamed': { de: 'Person umbenannt', pt: 'Nome da pessoa alterado' },
  'role changed': { de: 'Rolle geändert', pt: 'Função alterada' },
  'password set': { de: 'Passwort gesetzt', pt: 'Palavra-passe definida' },
  'PIN set': { de: 'PIN gesetzt', pt: 'PIN definido' },
  'PIN removed': { de: 'PIN entfernt', pt: 'PIN removido' },
  'logged in': { de: 'Angemeldet', pt: 'Sessão iniciada' },
  'session ended': { de: 'Anmeldung beendet', pt: 'Sessão terminada' },
  'device paired': { de: 'Gerät gekoppelt', pt: 'Dispositivo emparelhado' },
  'device ended': { de: 'Gerät den Zugang entzogen', pt: 'Acesso retirado ao dispositivo' },
  'printer changed': { de: 'Drucker geändert', pt: 'Impressora alterada' },
  'slip printed': { de: 'Beleg gedruckt', pt: 'Talão impresso' },
  'old slips printed': { de: 'Alte Belege gedruckt', pt: 'Talões antigos impressos' },
  'old slips discarded': { de: 'Alte Belege verworfen', pt: 'Talões antigos descartados' },
  'made-up days added': { de: 'Erfundene Tage hinzugefügt', pt: 'Dias inventados adicionados' },
  'backup started': { de: 'Sicherung gestartet', pt: 'Cópia de segurança iniciada' },
  'guest data deleted': { de: 'Gästedaten gelöscht', pt: 'Dados de clientes apagados' },
  'guest ordering changed': { de: 'Bestellen durch Gäste umgestellt', pt: 'Pedidos feitos pelos clientes alterados' },
}

export function deedText(what: Deed, language: Language = 'en'): string {
  return language === 'en' ? what : deedTexts[what][language]
}

/** What the file keeps in English about an act, by its pattern. `$1` and `$2` are parts that stay as they are. */
const keptTexts: [kept: RegExp, de: string, pt: string][] = [
  [/^location (\d.*)$/, 'Standort $1', 'local $1'],
  [/^table (\d.*)$/, 'Tisch $1', 'mesa $1'],
  [/^everywhere$/, 'überall', 'em todo o lado'],
  [/^staff (\d.*)$/, 'Person $1', 'pessoa $1'],
  [/^device (\d.*)$/, 'Gerät $1', 'dispositivo $1'],
  [/^stock (?:item )?(\d.*)$/, 'Lagerartikel $1', 'artigo de stock $1'],
  [/^item (\d.*)$/, 'Artikel $1', 'artigo $1'],
  [/^size (\d+ .*) of (.*)$/, 'Größe $1 ($2)', 'tamanho $1 ($2)'],
  [/^size (\d.*)$/, 'Größe $1', 'tamanho $1'],
  [/^option (\d.*)$/, 'Option $1', 'opção $1'],
  [/^option group (\d.*)$/, 'Optionsgruppe $1', 'grupo de opções $1'],
  [/^menu section (\d.*)$/, 'Bereich $1', 'secção $1'],
  [/^endpoint (\d.*)$/, 'Empfänger $1', 'recetor $1'],
  [/^ticket (\d.*)$/, 'Bon $1', 'talão $1'],
  [/^close (\d+)$/, 'Abschluss $1', 'fecho $1'],
  [/^entry (\d+)$/, 'Buchung $1', 'movimento $1'],
  [/^entry (\d+) of entry (\d+)$/, 'Buchung $1 zu Buchung $2', 'movimento $1, do movimento $2'],
  [/^replace$/, 'ersetzen', 'substituir'],
  [/^prices$/, 'Preise', 'preços'],
  [/^add$/, 'ergänzen', 'adicionar'],
  [/^(?:replace|prices|add|edit) of (.* UTC)$/, 'vom $1', 'de $1'],
  [/^lines$/, 'Positionen', 'linhas'],
  [/^discount$/, 'Rabatt', 'desconto'],
  [/^notes$/, 'Hinweise', 'notas'],
  [/^customer$/, 'Gast', 'cliente'],
  [/^on$/, 'verfügbar', 'disponível'],
  [/^off$/, 'aus', 'esgotado'],
  [/^off until (.*)$/, 'aus bis $1', 'esgotado até $1'],
  [/^taking orders$/, 'nimmt Bestellungen an', 'aceita pedidos'],
  [/^paused$/, 'angehalten', 'em pausa'],
  [/^paused until (.*)$/, 'angehalten bis $1', 'em pausa até $1'],
  [/^not busy$/, 'kein großer Betrieb', 'não está cheio'],
  [/^(\d+) min more$/, '$1 Min. länger', 'mais $1 min'],
  [/^(\d+) min more until (.*)$/, '$1 Min. länger bis $2', 'mais $1 min até $2'],
  [/^station (\d.*)$/, 'Station $1', 'posto $1'],
  [/^all events$/, 'alle Ereignisse', 'todos os eventos'],
  [/^(\d+) active$/, '$1 aktiv', '$1 em uso'],
  [/^1 order$/, '1 Bestellung', '1 pedido'],
  [/^(\d+) orders$/, '$1 Bestellungen', '$1 pedidos'],
  [/^(\d+) added$/, '$1 hinzugefügt', '$1 adicionados'],
  [/^(\d+) changed$/, '$1 geändert', '$1 alterados'],
  [/^(\d+) unpublished$/, '$1 nicht mehr veröffentlicht', '$1 já não publicados'],
  [/^(\d+) removed$/, '$1 entfernt', '$1 removidos'],
  [/^availability and stock only$/, 'nur Verfügbarkeit und Bestand', 'só disponibilidade e stock'],
  [/^(\d{4}-\d\d-\d\d) to (\d{4}-\d\d-\d\d)$/, '$1 bis $2', '$1 a $2'],
  // Amounts and quantities with their units.
  [/^(-?\d+)\.(\d+) (\S+)$/, '$1,$2 $3', '$1,$2 $3'],
]

/** Codes that the file keeps with spaces; none of them is a code with another meaning elsewhere. */
const keptCodes = [statusText, fulfilmentText, methodText, roleText, deviceRoleText]

/** A text that the file keeps about an act, in a language. What is not known, such as names, stays. */
export function keptText(text: string, language: Language): string {
  return language === 'en'
    ? text
    : text
        .split(', ')
        .map(part => partIn(part, language))
        .join(', ')
}

function partIn(part: string, language: Exclude<Language, 'en'>): string {
  const [, first, others] = /^(.*) and (\d+) more$/.exec(part) ?? []
  if (first !== undefined)
    return `${partIn(first, language)} ${language === 'de' ? 'und' : 'e mais'} ${others}${language === 'de' ? ' weitere' : ''}`
  const code = part.replaceAll(' ', '_')
  const term = keptCodes.map(termText => termText(code, language)).find(text => text !== part)
  if (term !== undefined) return term
  const [kept, de, pt] = keptTexts.find(([pattern]) => pattern.test(part)) ?? []
  return kept && de && pt ? part.replace(kept, language === 'de' ? de : pt) : part
}
