/** How a guest gets the food (section 2). */
export const serviceModes = ['dine_in', 'takeaway', 'delivery', 'qr'] as const
export type ServiceMode = (typeof serviceModes)[number]

/** How an order was placed, according to the caller (section 4.3). */
export const channels = ['web', 'phone', 'takeaway', 'delivery'] as const
export type Channel = (typeof channels)[number]

/** Where an order was made (decision F1). */
export const sources = ['api', 'storefront', 'qr', 'admin', 'pos'] as const
export type Source = (typeof sources)[number]

/** The kinds of pages on which guests order by themselves: from anywhere, at a table with its code, and at a kiosk (decision G1). */
export const guestKinds = ['storefront', 'qr', 'kiosk'] as const
export type GuestKind = (typeof guestKinds)[number]

/** Whether orders of this origin are entered by staff (decision G2). */
export function isEnteredByStaff(source: Source): source is 'admin' | 'pos' {
  return source === 'admin' || source === 'pos'
}
