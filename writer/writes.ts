import type { Store } from '../store/store.ts'

/**
 * Every write that the server process can do besides placing orders, by name: the function of the store that does it. Writes are
 * done one after the other by the writer thread (writer/writer.ts).
 */
export const writes = {
  move: store => store.move,
  edit: store => store.edit,
  pay: store => store.payments.pay,
  refund: store => store.payments.refund,
  credit: store => store.payments.credit,
  voidPayment: store => store.payments.voidPayment,
  bump: store => store.kitchen.bump,
  recall: store => store.kitchen.recall,
  changeStock: store => store.shelf.change,
  takeOffMenu: store => store.availability.off,
  putBackOnMenu: store => store.availability.on,
  importCatalogue: store => store.importCatalogue,
  setSetting: store => store.settings.set,
  generateToken: store => store.token.generate,
  noteTokenUse: store => store.token.noteUse,
  addEndpoint: store => store.webhooks.endpoints.add,
  removeEndpoint: store => store.webhooks.endpoints.remove,
  pauseEndpoint: store => store.webhooks.endpoints.pause,
  selectEvents: store => store.webhooks.endpoints.select,
  setSecret: store => store.webhooks.secrets.set,
  rotateSecret: store => store.webhooks.secrets.rotate,
  retireSecrets: store => store.webhooks.secrets.retire,
  clearSecrets: store => store.webhooks.secrets.clear,
  startTestDelivery: store => store.webhooks.outbox.startTest,
  endDelivery: store => store.webhooks.outbox.end,
  cutDeliveryLog: store => store.webhooks.log.prune,
} satisfies Record<string, (store: Store) => (...args: never[]) => unknown>

export type WriteName = keyof typeof writes
type Done<Name extends WriteName> = ReturnType<(typeof writes)[Name]>

/** Has a write done and resolves with what its function returns, once that is on disk. Rejects with what it throws. */
export type Write = <Name extends WriteName>(
  name: Name,
  ...args: Parameters<Done<Name>>
) => Promise<ReturnType<Done<Name>>>
