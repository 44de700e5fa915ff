import type { GroupId } from './ids.ts'

/** Why an order is refused (decision A2); the text is for the person who reads the response. */
export const faultTitles = {
  invalidJson: 'The request body is not valid JSON.',
  notAnOrder: 'The request body is not an order.',
  invalidLocation: 'A valid location_id is required.',
  paused: 'Orders are paused at this location.',
  closed: 'This location is closed.',
  noItems: 'The order has no items.',
  tooLarge: 'The order is too large.',
  invalidLine: 'An order line is not valid.',
  invalidQuantity: 'The quantity of an item is not valid.',
  unavailableItem: 'One of the items is no longer available.',
  unavailableOption: 'A selected option is not available.',
  invalidOptionQuantity: 'The quantity of an option is not valid.',
  missingOption: 'A required option is missing.',
  tooManyOptions: 'Too many options are selected.',
  invalidDetails: 'The order details are not valid.',
} as const

/** One thing that is wrong with an order. */
export interface Fault {
  title: (typeof faultTitles)[keyof typeof faultTitles]
  /** JSON Pointer into the order; null when it is not about one part (decision A3). */
  pointer: string | null
  /** The group in which too few or too many options are selected. */
  group?: GroupId
}

/** The maximum number of faults that are listed (decision A3). */
const MOST_FAULTS = 20

/** Collects the faults of one stage, in the order in which they are to be listed. */
export interface Faults {
  add(kind: keyof typeof faultTitles, pointer: string | null, group?: GroupId): void
  readonly list: Fault[]
}

export function collectFaults(): Faults {
  const list: Fault[] = []
  return {
    list,
    add(kind, pointer, group) {
      if (list.length >= MOST_FAULTS) return
      const fault = { title: faultTitles[kind], pointer }
      list.push(group === undefined ? fault : { ...fault, group })
    },
  }
}
