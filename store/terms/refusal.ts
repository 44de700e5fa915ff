import type { ServiceMode } from './channels.ts'
import type { Fault } from './faults.ts'
import type { Finding } from './finding.ts'
import type {
  CategoryId,
  DeviceId,
  EndpointId,
  GroupId,
  ItemId,
  LocationId,
  ModifierId,
  OrderLineId,
  SessionId,
  StationId,
  StockId,
  TableId,
  TicketId,
  VariationId,
} from './ids.ts'
import type { Amount } from './money.ts'
import type { TextFlaw } from './text.ts'

/**
 * Why something that a person or a client wants is not done: for each code the facts that explain it. display/refusal.ts
 * makes the sentences from them.
 */
interface Facts {
  // What does not exist
  'unknown order': { order: string }
  'unknown line': { line: OrderLineId }
  'unknown location': { location: LocationId }
  'unknown item': { item: ItemId }
  'unknown size': { size: VariationId }
  'unknown option': { option: ModifierId }
  'unknown category': { category: CategoryId }
  'unknown group': { group: GroupId }
  'unknown station': { station: StationId }
  'unknown ticket': { ticket: TicketId }
  'unknown ticket line': { ticket: TicketId }
  'unknown stock item': { stock: StockId }
  'unknown endpoint': { endpoint: EndpointId }
  'unknown event types': { types: string[]; known: readonly string[] }
  'unknown staff': { name: string }
  'unknown device': { device: DeviceId }
  'unknown session': { session: SessionId }
  'unknown setting': { key: string; known: readonly string[] }

  // What is given wrongly
  text: { field: 'reason' | 'note' | 'reference' | 'name' | 'attempt' | 'address' | 'postcode'; flaw: TextFlaw }
  'invalid amount': { most: Amount }
  'invalid percent': object
  'invalid quantity': { most: number }
  'invalid minutes': { most: number }
  'time has passed': { until: number; timezone: string }
  'invalid date': { date: string }
  'period reversed': { from: string; to: string }
  /** In days. */
  'period too long': { most: number }
  'no digits': { phone: string }
  'item blank': object
  /** The characters in a line of paper. */
  'invalid columns': { least: number; most: number }
  'invalid setting': { key: string; value: string; flaw: SettingFlaw }
  'invalid endpoint': { url: string; flaw: TextFlaw | 'not a URL' | 'not https' | 'has credentials' }
  'invalid secret': { flaw: 'empty' | 'unstorable' | 'not base64' }

  // Placing and editing an order
  faults: { faults: Fault[] }
  'order limit': object
  'takes no orders': { location: LocationId; why: 'paused' | 'closed'; until: number | null; timezone: string }
  'unknown table': { table: TableId; location: LocationId }
  'attempt used': { attempt: string }
  'other total': { total: Amount }
  'wanted time': { at: number; timezone: string; why: 'not a minute' | 'past' | 'too far ahead' | 'closed' }
  'not delivered there': { postcode: string }
  'below minimum': { minimum: Amount }
  /** Guests cannot order in this way here; null: they did not choose one. */
  'not offered': { mode: ServiceMode | null }
  'detail missing': { detail: 'name' | 'phone' | 'address' | 'postcode' }
  /** The kitchen has begun, or the time in which a guest may cancel is over. */
  'too late to cancel': object
  'order closed': { order: number; status: string }
  /** Since the person saw it. */
  'order changed': { order: number }
  'location closed': { location: LocationId }
  'no lines left': object
  'too many lines': { most: number }
  'order too large': { most: Amount }

  // Moving an order
  'status move': { from: string; to: string }
  'fulfilment move': { from: string | null; to: string }
  'still to be paid': { amount: Amount }
  'still to be refunded': { amount: Amount }
  /** `held` must be fired before they can be marked as done; the other `tickets` are in the kitchen. */
  'open tickets': { tickets: TicketId[]; held: TicketId[] }
  'reason missing': object
  'paid already': { amount: Amount }
  /** `lines` by their place in the order, from 1. */
  'too little stock': { lines: number[] }

  // Its account; entries are numbers within the order
  'reference used': { reference: string; entry: number }
  'nothing to pay': object
  'more than to pay': { balance: Amount }
  'nothing paid': object
  'more than paid': { paid: Amount }
  'more than owed': { status: string; owed: Amount }
  'not completed': { status: string }
  'more than due': { due: Amount }
  'not a payment': { entry: number }
  'payment voided': { entry: number }
  'payment of another day': { entry: number; date: string }
  'payment refunded': { entry: number }
  'payment of closed order': { entry: number; status: string }

  // Cash drawers and day closes
  'unknown close': { location: LocationId; number: number }
  /** What is not a note or coin of the currency, or not a number of them from 0 to `most`. */
  'invalid pieces': { of: Amount; most: number }
  'day closed': { date: string; number: number }
  'day not begun': { date: string }
  /** `date` is the day that has to be closed first. */
  'earlier day open': { date: string }
  'more than counted': { amount: Amount }

  // The kitchen
  'left the kitchen': { ticket: TicketId; fulfilment: string }
  'not ready': object
  'nothing open': { ticket: TicketId }
  'nothing done': { ticket: TicketId }
  'ticket held': { ticket: TicketId }
  /** The ticket, or the order at the pass, has changed since the screen that was pressed showed it. */
  'changed since shown': object
  /** The ticket has notes about an allergy or from a guest. */
  'not acknowledged': { ticket: TicketId }
  'not held': { ticket: TicketId; state: string }
  /** The record starts at `since` (UTC milliseconds); null: it is empty. */
  'not remembered': { since: number | null; timezone: string }
  'line not open': { ticket: TicketId; name: string; state: string }

  // Stock; quantities are millionths of the unit
  'more than on hand': { title: string; unit: string; onHand: number }
  'too much stock': { most: number }
  /** Between `was`, which the person saw, and what is on hand, something was sold, delivered, wasted or counted. */
  'stock moved': { title: string; unit: string; was: number; onHand: number }

  // Other systems
  'endpoint exists': { url: string }
  'too many endpoints': { most: number }
  'no secret': object

  // People
  'name taken': { name: string }
  'too few digits': { phone: string; least: number }
  'invalid email': { email: string }

  // People and devices that log in
  'invalid password': { flaw: 'unstorable' | 'the name' | { shorterThan: number } | { longerThan: number } }
  'invalid PIN': { flaw: 'not six digits' | 'simple' }
  'too many log-ins': object
  'wrong log-in': object
  'wrong PIN': object
  'wrong code': object
  'wait before trying': { seconds: number }
  'has owner': object
  'last owner': { name: string }
  'no password for staff': { name: string }
  'station circle': { station: string; to: string }
  'station elsewhere': { station: StationId; location: LocationId }
  'too many pairings': { most: number }

  // Backups
  'file name missing': object
  'file exists': { path: string }
  'folder missing': { path: string }
  'backup running': { path: string }
  'backup under way': object
  /** Besides the copy, some room must be left for orders. */
  'no room for backup': { missingMib: number }
  'backup damaged': { flaw: string }
  'backup failed': { cause: string }

  // Moving in
  'not a file': { path: string }
  'file inaccessible': { path: string; cause: string }
  'not a conversion': { path: string }
  'conversion edited': { path: string }
  'no ids to keep': { path: string }
  'unreadable menu': { path: string; flaw: string }

  // Bringing a restaurant file in
  /** At places of that file. */
  'does not fit': { problems: Finding[] }
  'nothing to undo': object

  // Editing the menu
  /** `field` is the place within the edited record; null: the problem is elsewhere. */
  'edit does not fit': { problems: (Finding & { field: string | null })[] }
  /** Somebody else has changed these since the person saw them; `now` is what they are. */
  'changed meanwhile': { fields: { field: string; now: unknown }[] }
  /** Another change was made since, at `at` (UTC milliseconds). */
  'undone first': { at: number; actor: string }
  image: { flaw: 'too large' | 'no image'; mostBytes: number }

  // Practice
  'has orders': { orders: number }
  'nothing published': object
}

export type SettingFlaw =
  | TextFlaw
  | 'time zone'
  | 'hour'
  | { oneOf: readonly string[] }
  | { someOf: readonly string[] }
  | { wholeNumberTo: number }
  /** Not a list of at most so many ids. */
  | { idsTo: number }

export type RefusalCode = keyof Facts

/** A refusal as data: its code and the facts of that code. An operation that can refuse returns its result or one of these. */
export type Refusal<Code extends RefusalCode = RefusalCode> = {
  [Each in Code]: { refused: Each } & Facts[Each]
}[Code]

/** Whether a result is a refusal. Nothing else that an operation returns has a member `refused`. */
export function isRefused(result: unknown): result is Refusal {
  return typeof result === 'object' && result !== null && 'refused' in result
}
