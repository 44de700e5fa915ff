import { type AddressInfo, type BlockList, isIPv6 } from 'node:net'
import { fileURLToPath } from 'node:url'
import { type Configuration, readConfiguration } from './configuration.ts'
import { type Reader, reader } from './reader/reader.ts'
import { setupCode } from './routes/access/setup-code.ts'
import { linker } from './routes/html/link.ts'
import { assets } from './routes/http/assets.ts'
import type { App } from './routes/http/handler.ts'
import { httpServer } from './routes/http/listener.ts'
import { printersHeard } from './routes/http/printers-heard.ts'
import { refusedRequests } from './routes/http/refused.ts'
import { type Screens, screens } from './routes/http/screens.ts'
import { shownOnce } from './routes/http/shown-once.ts'
import { siteAddresses } from './routes/http/site-addresses.ts'
import { throttle } from './routes/http/throttle.ts'
import { alarms } from './routes/kitchen/alarms.ts'
import { stationAlarms } from './routes/kitchen/station-alarms.ts'
import { printerAlarms } from './routes/printers/printer-alarms.ts'
import { requests } from './routes/requests.ts'
import { backups } from './store/backups.ts'
import { claimForServing } from './store/file/claim.ts'
import { explainFailure, UnusableFile } from './store/file/failures.ts'
import { jsonLog, type Log } from './store/log.ts'
import { orderLimit } from './store/ordering/order-limit.ts'
import { passwords } from './store/people/password.ts'
import { bytesLeftBehind, checkInBackground, checkNewestOrders } from './store/recovery.ts'
import { openStore, type Store } from './store/store.ts'
import { type Clock, systemClock } from './store/terms/clock.ts'
import type { Deliver } from './webhooks/deliver.ts'
import { deliveryThread } from './webhooks/thread.ts'
import { type Writer, writer } from './writer/writer.ts'

export interface ServeOptions {
  clock?: Clock
  log: Log
  /** How many orders share one commit at most; 1 switches sharing off. */
  ordersPerCommit?: number
}

export interface Serving {
  url: string
  /** Where browsers find the site. */
  addresses: string[]
  /** Makes the first owner on the page /setup. */
  setupCode: string
  /** For reading only. */
  store: Store
  writer: Writer
  reader: Reader
  screens: Screens
  /** Loads the pages, so that the first request for one does not have to. */
  loadPages(): Promise<void>
  /** Completes the requests in progress, accepts no new ones, and closes the file. */
  stop(): Promise<void>
}

/** Why the server cannot start, as a sentence for the person who started it. */
export class CannotStart extends Error {}

// Readers of the file never wait for a writer, except for a moment when another program opens or closes it.
const BUSY_MS = 10

// How often the server looks for what a command has written: events, because commands deliver none, and changes that screens must show.
const WATCH_OTHERS_MS = 500

// How often the server checks whether held tickets are due.
const FIRE_TICKETS_MS = 5000

// How often the server looks for alarms of the kitchens.
const LOOK_MS = 1000

// How often the server looks for something to print.
const PRINT_MS = 1000

// The delivery thread trims the delivery log, but there is no such thread while every endpoint is paused.
const CUT_LOG_MS = 3_600_000

/** Opens the file, builds the app and listens. Throws CannotStart when the file or the port cannot be used. */
export async function serve(configuration: Configuration, options: ServeOptions): Promise<Serving> {
  const { clock = systemClock, log, ordersPerCommit } = options
  const { databaseFile, host, port } = configuration
  const deliveries = deliveryThread({ databaseFile, allowed: configuration.webhookNetworks }, log)
  const { store, claim, isRecovered } = open(
    databaseFile,
    { clock, create: true, busyMs: BUSY_MS, readOnly: true },
    log,
  )
  const limit = orderLimit(clock.elapsed, () => {
    const { ordersLimit, ordersLimitWindowS } = store.settings.current()
    return { orders: ordersLimit, windowS: ordersLimitWindowS }
  })
  const { trustedProxies, hosts, basePath, siteRoot, limits } = configuration
  const writes = writer({
    databaseFile,
    clock,
    log,
    limit,
    onEvents: deliveries.wake,
    onWritten: () => app.screens.changed(),
    ...(ordersPerCommit && { ordersPerCommit }),
  })
  const slowReads = reader({ databaseFile, clock, log })
  const nightly = backups({
    databaseFile,
    store,
    recorder: {
      begin: (name, actor) =>
        actor ? writes.act(actor, 'beginBackup', name) : writes.chore('beginNightlyBackup', name),
      end: (id, result) => writes.chore('endBackup', id, result),
      remove: id => writes.chore('removeBackup', id),
    },
    copy: target => slowReads.read('backup', target),
    clock,
    log,
  })
  const heard = printersHeard(clock)
  const kitchenAlarms = alarms({
    lookouts: [
      stationAlarms({ store, clock, rollCall: () => app.screens.rollCall() }),
      () => printerAlarms({ store, printersHeard: heard, clock }),
    ],
    log,
    zone: () => store.settings.current().timezone,
    onChange: () => app.screens.makeAgain(),
  })
  const app: App = {
    clock,
    store,
    writer: writes,
    reader: slowReads,
    orderLimit: limit,
    refused: refusedRequests(clock),
    backups: nightly,
    alarms: kitchenAlarms,
    shownOnce: shownOnce(clock.elapsed),
    screens: screens({ store, writer: writes, clock, log }),
    printersHeard: heard,
    deliver: testDeliverer(configuration.webhookNetworks, clock),
    trustedProxies,
    host,
    basePath,
    link: linker(basePath),
    assets: assets(log),
    hosts,
    passwords: passwords(),
    throttle: throttle(clock.elapsed),
    setup: setupCode(clock),
    statusLimit: orderLimit(clock.elapsed, bucket => ({ orders: bucket.startsWith('order ') ? 60 : 100, windowS: 60 })),
    siteRoot,
    log,
  }
  const { run, loadPages } = requests(app)
  const { server, drain } = httpServer(run, { trustedProxies, log, limits })

  const watch = setInterval(() => {
    try {
      if (store.webhooks.outbox.hasPending()) deliveries.wake()
      app.screens.watch()
    } catch (error) {
      log.error('what other processes have written was not read', error)
    }
  }, WATCH_OTHERS_MS)
  watch.unref()
  function cutDeliveryLog(): void {
    if (store.webhooks.active().length > 0) return
    writes.chore('cutDeliveryLog').catch(error => log.error('the delivery log was not cut', error))
  }
  const cut = setInterval(cutDeliveryLog, CUT_LOG_MS)
  cut.unref()
  function fireTickets(): void {
    try {
      if (!store.kitchen.isAnyDue()) return
    } catch (error) {
      log.error('the held tickets were not read', error)
      return
    }
    writes.chore('fireDueTickets').catch(error => log.error('the held tickets were not fired', error))
  }
  const firing = setInterval(fireTickets, FIRE_TICKETS_MS)
  firing.unref()
  const looking = setInterval(() => {
    try {
      store.refresh()
      kitchenAlarms.look()
    } catch (error) {
      log.repeated('alarms not looked for', { error: String(error) })
    }
  }, LOOK_MS)
  looking.unref()
  let isPrinting = false
  function makePrintJobs(): void {
    try {
      if (isPrinting || !store.printing.hasNews()) return
    } catch (error) {
      log.error('what is to be printed was not read', error)
      return
    }
    isPrinting = true
    writes
      .chore('makePrintJobs')
      .catch(error => log.error('print jobs were not made', error))
      .finally(() => {
        isPrinting = false
      })
  }
  const printing = setInterval(makePrintJobs, PRINT_MS)
  printing.unref()
  let check: { stop(): Promise<void> } | undefined

  async function close(): Promise<void> {
    clearInterval(watch)
    clearInterval(cut)
    clearInterval(firing)
    clearInterval(looking)
    clearInterval(printing)
    // It gives up a backup, whose end is then recorded.
    await Promise.all([slowReads.stop(), nightly.stop()])
    await writes.stop()
    await Promise.all([deliveries.stop(), check?.stop()])
    store.close()
    claim.release()
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  }).catch(async (error: NodeJS.ErrnoException) => {
    await close()
    throw new CannotStart(explainListening(error, host, port))
  })
  const url = `http://${isIPv6(host) ? `[${host}]` : host}:${(server.address() as AddressInfo).port}`
  // Now that it listens: starting a thread takes longer than all of the above.
  writes.start()
  cutDeliveryLog()
  nightly.start()
  if (isRecovered) check = checkInBackground(databaseFile, log)
  if (store.webhooks.active().length > 0 || store.webhooks.outbox.hasUnfinished()) deliveries.wake()
  log.info('serving', { url, basePath, file: databaseFile })

  return {
    url,
    addresses: siteAddresses(configuration, Number(new URL(url).port)),
    setupCode: app.setup.code,
    store,
    writer: writes,
    reader: slowReads,
    screens: app.screens,
    loadPages,
    async stop() {
      const drained = drain()
      app.screens.drain()
      await drained
      await close()
      log.info('stopped')
    },
  }
}

/** Makes the attempts of tests. What that takes is loaded with the first one. */
function testDeliverer(allowed: BlockList, { elapsed }: Clock): Deliver {
  let deliver: Deliver | undefined
  return async delivery => {
    const { deliverer } = await import('./webhooks/deliver.ts')
    deliver ??= deliverer({ allowed, elapsed })
    return deliver(delivery)
  }
}

/** Opens the store as the only server of its file. `isRecovered`: the last process that used it crashed. */
function open(file: string, options: Parameters<typeof openStore>[1], log: Log) {
  let store: Store | undefined
  let claim: { release(): void } | undefined
  try {
    const leftBehind = bytesLeftBehind(file)
    store = openStore(file, options)
    claim = claimForServing(file)
    // A file in which these cannot be read is useless, so it is refused now and not later during the start.
    store.catalogue.current()
    store.webhooks.active()
    store.webhooks.outbox.hasUnfinished()
    if (leftBehind > 0) checkNewestOrders(store, leftBehind, log)
    return { store, claim, isRecovered: leftBehind > 0 }
  } catch (error) {
    store?.close()
    claim?.release()
    const explained = explainFailure(error, file)
    if (explained instanceof UnusableFile) throw new CannotStart(explained.message)
    throw error
  }
}

function explainListening(error: NodeJS.ErrnoException, host: string, port: number): string {
  if (error.code === 'EADDRINUSE') return `Port ${port} on ${host} is in use. Stop what uses it, or set PORT.`
  if (error.code === 'EACCES') return `Port ${port} may only be used by root. Set PORT to 1024 or more.`
  return `Servery cannot listen on ${host} port ${port} (${error.code}). Set HOST to an address of this machine.`
}

/** What a person has to do next before the API takes orders, as one line. */
function nextStep(store: Store): string {
  const { moduleEnabled, apiEnabled } = store.settings.current()
  const steps = [
    store.catalogue.current().locations.length === 0 && 'import FILE',
    !moduleEnabled && 'settings set api.module_enabled on',
    !apiEnabled && 'settings set api.enabled on',
    !store.token.use() && 'token',
  ].filter(step => step !== false)
  if (steps.length === 0) return 'The API is on.'
  return `Next: ${steps.map(step => `npm run -s servery -- ${step}`).join(' ; ')}`
}

/** How the first owner is made, while there is none. */
function wayIn({ store, addresses, setupCode }: Serving): string[] {
  if (store.staff.hasOwner()) return []
  const pages = addresses.map(address => `  ${address}/setup`)
  return ['Nobody can log in to the pages yet. Open', ...pages, `and enter the code ${setupCode}, within 30 minutes.`]
}

async function main(): Promise<void> {
  const args = process.argv.slice(2)
  const isDemo = args[0] === '--demo'
  if (args.length > Number(isDemo)) throw new CannotStart('Servery takes no argument but --demo.')
  const { configuration, problems } = readConfiguration(process.env)
  if (problems.length > 0) throw new CannotStart(problems.join('\n'))

  // Nobody reading what is printed is no reason to stop taking orders.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  const log = jsonLog(lines => process.stderr.write(lines), Date.now)
  process.once('exit', log.flush)
  process.on('uncaughtException', error => {
    log.error('crashed', error)
    process.exit(1)
  })

  const demo = isDemo ? await import('./examples/demo.ts') : undefined
  const serving = await serve(demo ? { ...configuration, databaseFile: demo.databaseFile } : configuration, { log })
  stopOnSignal(serving, log)
  console.log(
    `Servery serves ${demo?.databaseFile ?? configuration.databaseFile} at ${serving.url}${configuration.basePath}`,
  )
  if (demo) console.log(await demo.prepare(serving, configuration.basePath))
  else console.log([nextStep(serving.store), ...wayIn(serving)].join('\n'))
  serving.loadPages().catch(error => log.error('the pages were not loaded', error))
}

/** SIGTERM, SIGINT and a terminal that is closed (SIGHUP) drain and exit 0; a second one changes nothing. */
function stopOnSignal(serving: Serving, log: Log): void {
  let isStopping = false
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (isStopping) return
      isStopping = true
      log.info('stopping', { signal })
      serving.stop().then(
        () => process.exit(0),
        error => {
          log.error('stopped badly', error)
          process.exit(1)
        },
      )
    })
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  main().catch(error => {
    if (!(error instanceof CannotStart)) throw error
    console.error(error.message)
    process.exit(1)
  })
}
