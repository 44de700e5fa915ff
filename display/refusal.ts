import { MICRO } from '../store/stock/recipes.ts'
import { type Amount, amountText } from '../store/terms/money.ts'
import type { Refusal, RefusalCode, SettingFlaw } from '../store/terms/refusal.ts'
import { textFlawText } from '../store/terms/text.ts'
import { findingText } from './finding.ts'
import { zonedText } from './instant.ts'

/** The sentence of each refusal: what is wrong, where, and what to do about it. */
const sentences: { [Code in RefusalCode]: (refusal: Refusal<Code>) => string } = {
  'unknown order': ({ order }) => `There is no order ${order}.`,
  'unknown line': ({ line }) => `The order has no line ${line}.`,
  'unknown location': ({ location }) => `There is no location ${location}.`,
  'unknown item': ({ item }) => `There is no item ${item}.`,
  'unknown size': ({ size }) => `There is no size ${size}.`,
  'unknown option': ({ option }) => `There is no option ${option}.`,
  'unknown category': ({ category }) => `There is no menu section ${category}.`,
  'unknown group': ({ group }) => `There is no option group ${group}.`,
  'unknown station': ({ station }) => `There is no station ${station}.`,
  'unknown ticket': ({ ticket }) => `There is no ticket ${ticket}.`,
  'unknown ticket line': ({ ticket }) => `Ticket ${ticket} has no such line.`,
  'unknown stock item': ({ stock }) => `There is no stock item ${stock}.`,
  'unknown endpoint': ({ endpoint }) => `There is no endpoint ${endpoint}.`,
  'unknown event types': ({ types, known }) =>
    `There is no event ${types.map(type => `"${type}"`).join(', ')}. There are: ${known.join(', ')}.`,
  'unknown staff': ({ name }) => `Nobody called ${name} works here.`,
  'unknown device': ({ device }) => `There is no device ${device} in use.`,
  'unknown session': () => 'This session has already ended.',
  'unknown setting': ({ key, known }) => `There is no setting ${key}. There are: ${known.join(', ')}.`,

  text: ({ field, flaw }) => `The ${field} ${textFlawText(flaw)}.`,
  'invalid amount': ({ most }) =>
    `An amount in ${most.currency} must be more than 0 and at most ${textOf(most)}${decimalsText(most.exponent)}.`,
  'invalid quantity': ({ most }) =>
    `A quantity must be more than 0 (or 0 when counting), at most ${most}, with at most 3 decimals.`,
  'time has passed': ({ until, timezone }) => `${zonedText(until, timezone)} has already passed. Choose a later time.`,
  'invalid date': ({ date }) => `"${date}" is not a date. Write it like 2026-11-20.`,
  'period reversed': ({ from, to }) => `${to} is before ${from}. Give the earlier date first.`,
  'no digits': ({ phone }) => `"${phone}" has no digits to look for.`,
  'item blank': () => 'Give the id of the item or a part of its name.',
  'invalid setting': ({ key, value, flaw }) => `${key} cannot be "${value}": it ${settingFlawText(flaw)}.`,
  'invalid endpoint': ({ url, flaw }) => `${url} cannot be an endpoint: it ${endpointFlawText(flaw)}.`,
  'invalid secret': ({ flaw }) => `This cannot be a secret: it ${secretFlaws[flaw]}.`,

  faults: ({ faults }) => faults.map(({ title, pointer }) => (pointer ? `${pointer}: ${title}` : title)).join('\n'),
  'unknown table': ({ table }) => `This location has no table ${table}.`,
  'attempt used': ({ attempt }) => `The attempt ${attempt} was already used for an order with different contents.`,
  'other total': ({ total }) => `The order now costs ${textOf(total)}. Confirm the new total with the guest.`,
  'wanted time': ({ at, timezone, why }) => `${zonedText(at, timezone)} ${wantedFlaws[why]}.`,
  'not delivered there': ({ postcode }) => `There is no delivery to ${postcode}.`,
  'below minimum': ({ minimum }) => `Deliveries there start at ${textOf(minimum)}, without the delivery fee.`,
  'order limit': () => 'Too many orders came in within a short time. Try again later.',
  'takes no orders': ({ location, why, until, timezone }) =>
    why === 'paused'
      ? `Orders are paused at location ${location}${until === null ? '' : ` until ${zonedText(until, timezone)}`}.`
      : `Location ${location} is closed${until === null ? '' : ` and opens at ${zonedText(until, timezone)}`}.`,
  'order closed': ({ status }) => `This order is ${status} and can no longer be changed.`,
  'order changed': () => 'This order has changed since you opened it. Look at the changes before you go on.',
  'location closed': ({ location }) => `Location ${location} has no menu now, so nothing can be added.`,
  'no lines left': () => 'An order keeps at least one line. Cancel the order instead.',
  'too many lines': ({ most }) => `An order has at most ${most} lines.`,
  'order too large': ({ most }) => `The order would be too large: the maximum is ${textOf(most)}.`,

  'status move': ({ from, to }) =>
    from === to
      ? `This order is already ${to}.`
      : `An order that is ${from} cannot become ${to}.${from === 'completed' && to === 'cancelled' ? CREDIT_INSTEAD : ''}`,
  'fulfilment move': ({ from, to }) =>
    from === to
      ? `This order is already ${fulfilmentText(to)}.`
      : `An order that is ${fulfilmentText(from)} cannot become ${fulfilmentText(to)}.`,
  'still to be paid': ({ amount }) => `${textOf(amount)} is still to be paid. Take the payment first.`,
  'still to be refunded': ({ amount }) => `${textOf(amount)} is still to be refunded. Refund it first.`,
  'open tickets': ({ tickets, held }) =>
    [ticketsText(tickets, 'still open in the kitchen', 'Mark', ' as done'), ticketsText(held, 'held back', 'Fire', '')]
      .filter(text => text !== '')
      .join(' '),
  'reason missing': () => 'A cancellation needs a reason.',
  'paid already': ({ amount }) => `${textOf(amount)} was paid for this order. Refund it first.`,
  'too little stock': ({ lines }) =>
    `There is too little stock for ${lines.length === 1 ? 'line' : 'lines'} ${lines.join(', ')} of this order.`,

  'reference used': ({ reference, entry }) =>
    `The reference ${reference} belongs to entry ${entry}, which is different.`,
  'nothing to pay': () => 'Nothing is to be paid for this order.',
  'more than to pay': ({ balance }) => `Only ${textOf(balance)} is to be paid for this order.`,
  'nothing paid': () => 'Nothing was paid for this order.',
  'more than paid': ({ paid }) => `Only ${textOf(paid)} was paid for this order.`,
  'more than owed': ({ status, owed }) =>
    `This order is ${status} and its guest is owed ${textOf(owed)}. Give a credit first.`,
  'not completed': ({ status }) =>
    status === 'cancelled'
      ? 'This order is cancelled, so there is nothing to credit.'
      : `A credit is for completed orders and this one is ${status}. Edit the order to change what it costs.`,
  'more than due': ({ due }) => `This order cost only ${textOf(due)}.`,
  'not a payment': ({ entry }) => `Entry ${entry} of this order is not a payment.`,
  'payment voided': ({ entry }) => `Payment ${entry} has already been voided.`,
  'payment of another day': ({ entry, date }) =>
    `Payment ${entry} is from ${date}, and only today's payments can be voided. Refund it instead.`,
  'payment refunded': ({ entry }) => `Payment ${entry} has already been refunded, in whole or in part.`,
  'payment of closed order': ({ entry, status }) =>
    `Payment ${entry} cannot be voided, because this order is ${status}.${status === 'completed' ? CREDIT_INSTEAD : ''}`,

  'unknown close': ({ location, number }) => `Location ${location} has no day close ${number}.`,
  'invalid pieces': ({ of, most }) =>
    `Of each note and coin in ${of.currency}, give a whole number from 0 to ${most}; ${textOf(of)} is not counted so.`,
  'day closed': ({ date, number }) => `${date} is already closed, by close ${number}.`,
  'day not begun': ({ date }) => `${date} has not begun, so it cannot be closed.`,
  'earlier day open': ({ date }) => `${date} is still open. Close it first.`,
  'more than counted': ({ amount }) =>
    `Only ${textOf(amount)} was counted, so no more than that can stay in the drawer.`,

  'left the kitchen': ({ ticket, fulfilment }) =>
    `The order of ticket ${ticket} is already ${fulfilmentText(fulfilment)}.`,
  'nothing open': ({ ticket }) => `Nothing on ticket ${ticket} is open.`,
  'nothing done': ({ ticket }) => `Nothing on ticket ${ticket} is done.`,
  'ticket held': ({ ticket }) => `Ticket ${ticket} is held back. Fire it first.`,
  'not held': ({ ticket, state }) => `Ticket ${ticket} is ${state}, not held.`,
  'not remembered': ({ since, timezone }) =>
    since === null
      ? 'Nothing has happened in the kitchen yet.'
      : `The history of the kitchen begins at ${zonedText(since, timezone)}.`,
  'line not open': ({ ticket, name, state }) => `"${name}" on ticket ${ticket} is already ${state}.`,

  'more than on hand': ({ title, unit, onHand }) =>
    `Only ${onHand / MICRO} ${unit} of ${title} is on hand. If there is more, count it first.`,
  'stock moved': ({ title, unit, was, onHand }) =>
    `There were ${was / MICRO} ${unit} of ${title}; meanwhile there are ${onHand / MICRO}. Look again, then save.`,
  'too much stock': ({ most }) => `At most ${most} of anything can be on hand.`,

  'endpoint exists': ({ url }) => `${url} is already an endpoint.`,
  'too many endpoints': ({ most }) => `There can be at most ${most} endpoints. Remove one first.`,

  'no secret': () => 'No secret is set, so deliveries are unsigned.',

  'name taken': ({ name }) => `${name} already works here. Choose another name, such as one with an initial.`,
  'invalid password': ({ flaw }) => `A password ${passwordFlawText(flaw)}.`,
  'invalid PIN': ({ flaw }) =>
    flaw === 'simple' ? 'This PIN is too easy to guess. Choose other digits.' : 'A PIN has six digits.',
  'too many log-ins': () => 'Too many people are logging in at the moment. Try again in a few seconds.',
  'wrong log-in': () => 'The name or the password is wrong.',
  'wrong PIN': () => 'The PIN is wrong.',
  'wrong code': () => 'The code is wrong, was used already or has expired.',
  'wait before trying': ({ seconds }) =>
    `Too many wrong tries. Try again in ${seconds === 1 ? 'a second' : `${seconds} seconds`}.`,
  'has owner': () => 'There is an owner already. Log in instead.',
  'last owner': ({ name }) => `${name} is the only owner who can log in. Give somebody else this role first.`,
  'no password for staff': ({ name }) => `${name} logs in with a PIN. Only owners and managers have a password.`,
  'station elsewhere': ({ station, location }) => `Location ${location} has no station ${station}.`,
  'too many pairings': ({ most }) => `There are ${most} codes in use already. Wait until one has expired.`,
  'too few digits': ({ phone, least }) =>
    `"${phone}" is the end of too many phone numbers. Give at least ${least} digits, not counting zeros at its beginning.`,
  'invalid email': ({ email }) => `"${email}" is not an email address.`,

  'file name missing': () => 'The backup needs a file name.',
  'file exists': ({ path }) => `${path} already exists, and a backup never overwrites. Choose another name.`,
  'folder missing': ({ path }) => `There is no folder ${path}. Make it first.`,
  'backup running': ({ path }) =>
    `${path} already exists: another backup to the same file is running. If none is, delete ${path}.`,
  'backup damaged': ({ flaw }) =>
    `The copy is damaged: ${flaw}. The file itself may be damaged, too; have it examined.`,
  'backup failed': ({ cause }) => `No backup was made: ${cause}.`,

  'not a file': ({ path }) => `${path} is not a file.`,
  'file inaccessible': ({ path, cause }) => `${path} cannot be read or written (${cause}).`,
  'not a conversion': ({ path }) =>
    `${path} already exists and is not a conversion that can be replaced. Choose another name with --to.`,
  'conversion edited': ({ path }) =>
    `${path} was edited since it was converted, so it is not overwritten. Add "--to NEW.json --ids ${path}" to convert into another file with the same ids.`,
  'no ids to keep': ({ path }) => `${path} is not a conversion, so it has no ids to keep.`,
  'unreadable menu': ({ path, flaw }) => `${path} ${flaw}. Nothing was written.`,

  'does not fit': ({ problems }) => problems.map(findingText).join('\n'),
  'nothing to undo': () => 'There is no change of the menu that can be undone.',
  'edit does not fit': ({ problems }) => problems.map(findingText).join('\n'),
  'changed meanwhile': ({ fields }) =>
    `Somebody else has changed this meanwhile: ${fields.map(({ field }) => field).join(', ')}. Look at it, then save again.`,
  'undone first': ({ actor }) => `${actor} has changed the menu since. Only the last change can be undone.`,
  image: ({ flaw, mostBytes }) =>
    flaw === 'too large'
      ? `An image may have at most ${Math.floor(mostBytes / 1024)} KB.`
      : 'This is not a PNG, JPEG, WebP, AVIF or GIF image.',

  'has orders': ({ orders }) =>
    `The file already has ${orders === 1 ? 'an order' : `${orders} orders`}; practice only fills a file without orders.`,
  'nothing published': () => 'There is no published location, and practice needs one.',
}

/** A refusal as a sentence; several faults are one line each. */
export function refusalText<Code extends RefusalCode>(refusal: Refusal<Code>): string {
  return sentences[refusal.refused](refusal)
}

const CREDIT_INSTEAD = ' Give a credit and refund it instead.'

/** "Tickets 4, 5 of this order are held back. Fire them first."; empty without tickets. */
function ticketsText(tickets: number[], state: string, act: string, how: string): string {
  if (tickets.length === 0) return ''
  const [noun, verb, them] = tickets.length === 1 ? ['Ticket', 'is', 'it'] : ['Tickets', 'are', 'them']
  return `${noun} ${tickets.join(', ')} of this order ${verb} ${state}. ${act} ${them}${how} first.`
}

function textOf({ minor, exponent, currency }: Amount): string {
  return amountText(minor, exponent, currency)
}

function decimalsText(exponent: number): string {
  return exponent === 0 ? ', without decimals' : `, with at most ${exponent} decimals`
}

function fulfilmentText(fulfilment: string | null): string {
  return fulfilment === null ? 'nothing for the kitchen' : fulfilment.replaceAll('_', ' ')
}

const wantedFlaws: Record<Refusal<'wanted time'>['why'], string> = {
  'not a minute': 'has seconds. Choose a whole minute',
  past: 'has already passed. Choose a later time',
  'too far ahead': 'is too far ahead. Orders are taken for up to 14 days',
  closed: 'is outside the opening hours',
}

function settingFlawText(flaw: SettingFlaw): string {
  if (flaw === 'time zone') return 'is not a time zone that this system knows, such as Europe/Lisbon'
  if (typeof flaw === 'object' && 'oneOf' in flaw) return `must be ${flaw.oneOf.join(' or ')}`
  if (typeof flaw === 'object' && 'wholeNumberTo' in flaw)
    return `must be a whole number from 1 to ${flaw.wholeNumberTo}`
  return textFlawText(flaw)
}

function endpointFlawText(flaw: Refusal<'invalid endpoint'>['flaw']): string {
  switch (flaw) {
    case 'not a URL':
      return 'is not a URL'
    case 'not https':
      return 'must start with https://'
    case 'has credentials':
      return 'must not contain a user name or password'
    default:
      return textFlawText(flaw)
  }
}

function passwordFlawText(flaw: Refusal<'invalid password'>['flaw']): string {
  if (flaw === 'the name') return 'must not be the name'
  if (typeof flaw === 'object' && 'shorterThan' in flaw) return `must have at least ${flaw.shorterThan} characters`
  return textFlawText(flaw)
}

const secretFlaws: Record<Refusal<'invalid secret'>['flaw'], string> = {
  empty: 'is empty',
  unstorable: 'contains a character that cannot be stored',
  'not base64': 'must have standard base64 after whsec_',
}
