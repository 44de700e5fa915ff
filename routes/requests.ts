import { apiRoutes } from './api.ts'
import type { App } from './http/handler.ts'
import { type Exchange, refuse, send } from './http/reply.ts'
import { router } from './http/router.ts'
import { runner } from './http/run.ts'

/**
 * Returns the function that runs each request of the app. The pages are loaded with the first request that is not for the API, because
 * loading them would take as long as the rest of the start.
 */
export function requestRunner(app: App): (exchange: Exchange) => void {
  let run = runner(app, router(app, apiRoutes(app.basePath)), runLater)
  let loading: Promise<void> | undefined

  async function load(): Promise<void> {
    const { siteRouter } = await import('./index.ts')
    run = runner(app, siteRouter(app))
  }

  async function runLater(exchange: Exchange): Promise<void> {
    try {
      loading ??= load()
      await loading
    } catch (error) {
      app.log.error('the pages were not loaded', error, { request: exchange.id })
      return void send(exchange, refuse('SERVER_ERROR'))
    }
    run(exchange)
  }

  return exchange => run(exchange)
}
