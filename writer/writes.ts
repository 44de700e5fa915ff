import type { Actor } from '../store/people/actor.ts'
import type { Store } from '../store/store.ts'

type Writes = Record<string, (store: Store) => (...args: never[]) => unknown>

// All writes of the server process besides placing orders: the store's functions, by name. The writer thread (writer/writer.ts)
// does them one after the other.

/** The acts of people and devices. Their actor is recorded with them (decision 042). */
const acts = {
  move: store => store.move,
  edit: store => store.edit,
  pay: store => store.payments.pay,
  refund: store => store.payments.refund,
  credit: store => store.payments.credit,
  voidPayment: store => store.payments.voidPayment,
  enterCash: store => store.till.enter,
  closeDay: store => store.till.closeDay,
  bump: store => store.kitchen.bump,
  recall: store => store.kitchen.recall,
  hold: store => store.kitchen.hold,
  fire: store => store.kitchen.fire,
  actAtPass: store => store.pass.act,
  actAtStation: store => store.stationScreens.act,
  changeStock: store => store.shelf.change,
  takeOffMenu: store => store.availability.off,
  putBackOnMenu: store => store.availability.on,
  closeStation: store => store.stations.close,
  openStation: store => store.stations.open,
  pauseOrders: store => store.pauses.pause,
  resumeOrders: store => store.pauses.resume,
  makeTableCodes: store => store.tableCodes.make,
  resetTableCodes: store => store.tableCodes.reset,
  beginBusy: store => store.busy.begin,
  endBusy: store => store.busy.end,
  setStationBackup: store => store.stationBackups.set,
  importCatalogue: store => store.importCatalogue,
  undoImport: store => store.undoImport,
  editMenu: store => store.editMenu,
  setGuestModes: store => store.guestSwitches.set,
  setSetting: store => store.settings.set,
  setSettings: store => store.settings.setAll,
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
  changeStaff: store => store.staff.change,
  changeRole: store => store.staff.changeRole,
  setPassword: store => store.staff.setPassword,
  setPin: store => store.staff.setPin,
  logIn: store => store.sessions.logIn,
  endSession: store => store.sessions.end,
  offerPairing: store => store.devices.offerPairing,
  endDevice: store => store.devices.end,
  addPrinter: store => store.printing.printers.add,
  changePrinter: store => store.printing.printers.change,
  renewPrinterSecret: store => store.printing.printers.renewSecret,
  printOnRequest: store => store.printing.request,
  settlePrintJobs: store => store.printing.settle,
  beginBackup: store => store.backups.beginByHand,
} satisfies Writes

/** The automatic work of the server. */
const chores = {
  addFirstOwner: store => store.staff.addFirstOwner,
  pairDevice: store => store.devices.pair,
  noteTicketsSeen: store => store.stationScreens.noteSeen,
  noteDeviceSeen: store => store.devices.noteSeen,
  noteSessionSeen: store => store.sessions.noteSeen,
  noteTokenUse: store => store.token.noteUse,
  cancelAsGuest: store => store.cancelAsGuest,
  startTestDelivery: store => store.webhooks.outbox.startTest,
  endDelivery: store => store.webhooks.outbox.end,
  fireDueTickets: store => store.kitchen.fireDue,
  makePrintJobs: store => store.printing.makeJobs,
  offerPrintJob: store => store.printing.offer,
  fetchPrintJob: store => store.printing.fetch,
  finishPrintJob: store => store.printing.finish,
  cutDeliveryLog: store => store.webhooks.log.prune,
  beginNightlyBackup: store => store.backups.beginNightly,
  endBackup: store => store.backups.end,
  removeBackup: store => store.backups.remove,
} satisfies Writes

export const writes = { ...acts, ...chores }

export type WriteName = keyof typeof writes
type Done<Name extends WriteName> = ReturnType<(typeof writes)[Name]>

/** Does an act of this actor and resolves with its function's result once that is on disk. Rejects with what it throws. */
export type Act = <Name extends keyof typeof acts>(
  actor: Actor,
  name: Name,
  ...args: Parameters<Done<Name>>
) => Promise<ReturnType<Done<Name>>>

/** The same for automatic work, which has no actor. */
export type Chore = <Name extends keyof typeof chores>(
  name: Name,
  ...args: Parameters<Done<Name>>
) => Promise<ReturnType<Done<Name>>>
