import type { Actor } from '../store/people/actor.ts'
import type { Store } from '../store/store.ts'

type Writes = Record<string, (store: Store) => (...args: never[]) => unknown>

// Besides placing orders, these are all writes that the server process can do, by name: the function of the store that does it.
// They are done one after the other by the writer thread (writer/writer.ts).

/** What people and devices do. Who it is goes with it and is written down (decision 042). */
const acts = {
  move: store => store.move,
  edit: store => store.edit,
  pay: store => store.payments.pay,
  refund: store => store.payments.refund,
  credit: store => store.payments.credit,
  voidPayment: store => store.payments.voidPayment,
  bump: store => store.kitchen.bump,
  recall: store => store.kitchen.recall,
  hold: store => store.kitchen.hold,
  fire: store => store.kitchen.fire,
  changeStock: store => store.shelf.change,
  takeOffMenu: store => store.availability.off,
  putBackOnMenu: store => store.availability.on,
  pauseOrders: store => store.pauses.pause,
  resumeOrders: store => store.pauses.resume,
  importCatalogue: store => store.importCatalogue,
  undoImport: store => store.undoImport,
  setSetting: store => store.settings.set,
  generateToken: store => store.token.generate,
  addEndpoint: store => store.webhooks.endpoints.add,
  removeEndpoint: store => store.webhooks.endpoints.remove,
  pauseEndpoint: store => store.webhooks.endpoints.pause,
  selectEvents: store => store.webhooks.endpoints.select,
  setSecret: store => store.webhooks.secrets.set,
  rotateSecret: store => store.webhooks.secrets.rotate,
  retireSecrets: store => store.webhooks.secrets.retire,
  clearSecrets: store => store.webhooks.secrets.clear,
  addStaff: store => store.staff.add,
  endStaff: store => store.staff.end,
  endDevice: store => store.devices.end,
} satisfies Writes

/** What the server does by itself. */
const chores = {
  noteTokenUse: store => store.token.noteUse,
  startTestDelivery: store => store.webhooks.outbox.startTest,
  endDelivery: store => store.webhooks.outbox.end,
  fireDueTickets: store => store.kitchen.fireDue,
  cutDeliveryLog: store => store.webhooks.log.prune,
} satisfies Writes

export const writes = { ...acts, ...chores }

export type WriteName = keyof typeof writes
type Done<Name extends WriteName> = ReturnType<(typeof writes)[Name]>

/** Has somebody's act done and resolves with what its function returns, once that is on disk. Rejects with what it throws. */
export type Act = <Name extends keyof typeof acts>(
  actor: Actor,
  name: Name,
  ...args: Parameters<Done<Name>>
) => Promise<ReturnType<Done<Name>>>

/** The same for what nobody does. */
export type Chore = <Name extends keyof typeof chores>(
  name: Name,
  ...args: Parameters<Done<Name>>
) => Promise<ReturnType<Done<Name>>>
