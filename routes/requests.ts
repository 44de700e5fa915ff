import { readdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { apiRoutes } from './api.ts'
import type { App } from './http/handler.ts'
import { type Exchange, refuse, send } from './http/reply.ts'
import { router } from './http/router.ts'
import { runner } from './http/run.ts'

// The threads that orders need are loaded first. Then, orders have the processor to themselves for a while after each module.
const FIRST_MODULE_MS = 2000
const BETWEEN_MODULES_MS = 20

export interface Requests {
  run(exchange: Exchange): void
  /** Loads the pages and builds their scripts, with pauses until a request waits for them. */
  loadPages(): Promise<void>
}

/**
 * What runs the requests of the app. The pages are not loaded with it, because that would take longer than the rest of the start: the
 * server loads them once it listens, or the first request that is not for the API.
 */
export function requests(app: App): Requests {
  let run = runner(app, router(app, apiRoutes(app.basePath)), runLater)
  let loading: Promise<void> | undefined
  const hurry = new AbortController()

  async function load(): Promise<void> {
    await pause(FIRST_MODULE_MS)
    const building = app.assets.build()
    const names = readdirSync(fileURLToPath(new URL('.', import.meta.url)), { recursive: true, encoding: 'utf8' })
    for (const name of names.filter(each => each.endsWith('.ts'))) {
      await import(`./${name}`)
      await pause(BETWEEN_MODULES_MS)
    }
    const { siteRouter } = await import('./index.ts')
    // What screens show names the script, so that it would change at once.
    await building
    run = runner(app, siteRouter(app))
  }

  /** Ends when a request waits for the pages. */
  function pause(ms: number): Promise<void> {
    return sleep(ms, undefined, { signal: hurry.signal, ref: false }).catch(() => {})
  }

  function loadPages(): Promise<void> {
    loading ??= load()
    return loading
  }

  async function runLater(exchange: Exchange): Promise<void> {
    hurry.abort()
    try {
      await loadPages()
    } catch (error) {
      app.log.error('the pages were not loaded', error, { request: exchange.id })
      return void send(exchange, refuse('SERVER_ERROR'))
    }
    run(exchange)
  }

  return { run: exchange => run(exchange), loadPages }
}
