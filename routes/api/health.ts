import type { Handler } from '../http/handler.ts'

/** GET /healthz: 200 while the database file answers, for monitors; needs no token. */
export const health: Handler = ({ store }) => {
  store.ping()
  return { kind: 'json', status: 200, body: { status: 'ok' } }
}
