import { createHash, timingSafeEqual } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import rateLimit from '@fastify/rate-limit'
import Database from 'better-sqlite3'
import Fastify from 'fastify'
import { answerStarter } from '../child.ts'
import { menus } from './menu.ts'
import { InvalidOrder, type OrderBody, orders } from './orders.ts'
import { locationsSchema, menuSchema, orderSchema } from './schemas.ts'

// The same API in the usual way: schemas for requests and responses, queries for all data, and a transaction per order. It serves
// a file that Servery made, as durably as Servery does.
const { file } = JSON.parse(process.argv[2] ?? '') as { file: string }
const db = new Database(file)
db.pragma('journal_mode = WAL')
db.pragma('synchronous = FULL')
db.pragma('foreign_keys = ON')

const selectSettings = db.prepare<[], { key: string; value: string }>('SELECT key, value FROM setting')
const selectToken = db.prepare<[], Buffer>('SELECT sha256 FROM api_token').pluck()
const catalogue = menus(db)
const { create } = orders(db, catalogue.location)
const errors = (title: string, code: string) => ({ errors: [{ title, code }] })

const app = Fastify({ logger: { stream: process.stderr }, disableRequestLogging: true, keepAliveTimeout: 5000 })
await app.register(rateLimit, { global: false })
app.setErrorHandler((error: Error & { statusCode?: number; validation?: unknown }, request, reply) => {
  if (error instanceof InvalidOrder || error.validation) {
    return reply.code(400).send(errors(error.message, 'INVALID_ORDER'))
  }
  request.log.error(error)
  return reply.code(error.statusCode ?? 500).send(errors('The order could not be created.', 'ORDER_FAILED'))
})

app.register(
  async api => {
    api.addHook('onRequest', async (request, reply) => {
      const settings = new Map(selectSettings.all().map(({ key, value }) => [key, value]))
      if (settings.get('api.module_enabled') !== 'on') {
        return reply.code(403).send(errors('This module is disabled.', 'MODULE_DISABLED'))
      }
      if (settings.get('api.enabled') !== 'on') return reply.code(403).send(errors('API is disabled', 'API_DISABLED'))
      const token = /^bearer +(.+)$/i.exec(request.headers.authorization ?? '')?.[1]
      const known = selectToken.get()
      const isRight = token && known && timingSafeEqual(createHash('sha256').update(token).digest(), known)
      if (!isRight) return reply.code(401).send(errors('Invalid API token', 'INVALID_TOKEN'))
    })

    api.get('/locations', { schema: locationsSchema }, async () => ({ data: catalogue.locations() }))

    api.get<{ Params: { locationId: number } }>(
      '/locations/:locationId/menu',
      { schema: menuSchema },
      async (request, reply) => {
        const location = catalogue.location(request.params.locationId)
        if (!location) return reply.code(404).send(errors('Unknown location', 'UNKNOWN_LOCATION'))
        return { data: catalogue.menu(location.id) }
      },
    )

    api.post<{ Body: OrderBody }>(
      '/orders',
      { schema: orderSchema, config: { rateLimit: { max: 1_000_000_000, timeWindow: 1000 } } },
      async (request, reply) => {
        const order = create(request.body)
        if (!order) return reply.code(404).send(errors('Unknown location', 'UNKNOWN_LOCATION'))
        request.log.info({ order: order.id, number: order.order_number, location: order.location_id }, 'order placed')
        return reply.code(201).send({ data: order })
      },
    )
  },
  { prefix: '/api/index.php/v1/restaurant' },
)

await app.listen({ port: 0, host: '127.0.0.1' })
answerStarter((app.server.address() as AddressInfo).port)
