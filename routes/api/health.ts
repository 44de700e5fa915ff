import type { Handler } from '../http/handler.ts'

/** GET /healthz: 200 while the database file can be read and written, for monitors; needs no token. */
export const health: Handler = ({ store, writer }) => {
  store.ping()
  writer.expectRunning()
  return { kind: 'json', status: 200, body: { status: 'ok' } }
}
