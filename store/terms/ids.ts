declare const kind: unique symbol

/** A positive whole number for one kind of record, so that an ItemId cannot be passed as a LocationId. */
export type Id<Kind extends string> = number & { readonly [kind]: Kind }

export type LocationId = Id<'location'>
export type CategoryId = Id<'category'>
export type ItemId = Id<'item'>
export type VariationId = Id<'variation'>
export type GroupId = Id<'modifier group'>
export type ModifierId = Id<'modifier'>
export type AllergenId = Id<'allergen'>
export type TaxClassId = Id<'tax class'>
export type LabelId = Id<'label'>
export type PromotionId = Id<'promotion'>
export type TableId = Id<'table'>
export type ZoneId = Id<'delivery zone'>
export type StationId = Id<'station'>
export type StockId = Id<'stock item'>
export type TicketId = Id<'ticket'>
export type OrderId = Id<'order'>
export type OrderLineId = Id<'order line'>
export type EndpointId = Id<'webhook endpoint'>
export type EventId = Id<'webhook event'>
export type StaffId = Id<'staff'>
export type DeviceId = Id<'device'>
export type SessionId = Id<'session'>
export type AttemptId = Id<'webhook attempt'>
export type BackupId = Id<'backup'>

/** An id from outside. Any whole number within 2^53-1 passes; whether it exists is found by looking it up. */
export function parseId<T extends Id<string>>(value: unknown): T | undefined {
  return Number.isSafeInteger(value) ? (value as T) : undefined
}
