import { decimalText } from '../store/terms/money.ts'
import type { Refusal } from '../store/terms/refusal.ts'

/** The command to run after a refusal, such as " Next: bump 12"; empty if there is none. */
export function nextStep(refusal: Refusal, order = 'ORDER'): string {
  switch (refusal.refused) {
    case 'open tickets':
      return ` Next: ${[...refusal.tickets.map(id => `bump ${id}`), ...refusal.held.map(id => `fire ${id}`)].join(', ')}`
    case 'still to be paid':
      return ` Next: pay ${order} ${decimalText(refusal.amount.minor, refusal.amount.exponent)} --method …`
    case 'still to be refunded':
    case 'paid already':
      return ` Next: refund ${order} ${decimalText(refusal.amount.minor, refusal.amount.exponent)} --method …`
    case 'more than owed':
      return ` Next: credit ${order} AMOUNT --reason …`
    case 'not completed':
      return refusal.status === 'cancelled' ? '' : ` Next: edit ${order} --file EDIT.json`
    case 'status move':
      return refusal.from === 'completed' && refusal.to === 'cancelled'
        ? ` Next: credit ${order} AMOUNT --reason …`
        : ''
    case 'payment of closed order':
      return refusal.status === 'completed' ? ` Next: credit ${order} AMOUNT --reason …` : ''
    case 'no lines left':
      return ` Next: order ${order} cancel --reason …`
    case 'payment of another day':
      return ` Next: refund ${order} AMOUNT --method …`
    case 'not a payment':
    case 'payment voided':
    case 'reference used':
      return ` Next: balance ${order}`
    case 'ticket held':
      return ` Next: fire ${refusal.ticket}`
    case 'unknown ticket':
    case 'nothing open':
    case 'nothing done':
    case 'not held':
      return ' Next: kitchen'
    case 'unknown endpoint':
      return ' Next: webhooks endpoints'
    case 'no secret':
      return ' Next: webhooks secret set generate'
    case 'has orders':
      return ' Next: name a new file with DATABASE_FILE.'
    default:
      return ''
  }
}
