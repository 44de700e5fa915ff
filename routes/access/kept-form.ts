import { type Html, html } from '../html/html.ts'
import type { Address, Query } from '../html/link.ts'
import { isAnnouncedAs, parseForm, readBody } from '../http/body.ts'
import type { App } from '../http/handler.ts'
import type { Head } from '../http/head.ts'
import type { Exchange } from '../http/reply.ts'
import type { Found, Router } from '../http/router.ts'
import { secretFields } from '../page/form.ts'

/** A form that somebody sent without being logged in, or without the role for it, kept until they are. */
export interface KeptForm {
  /** The path and query that it was sent to. */
  to: string
  /** Its fields without passwords, PINs and the like, as they are sent: "name=Ana&qty=2". */
  fields: string
}

// The browser sends it back escaped once more, which may make it three times as long.
const LONGEST = 64 * 1024

/** The form that a request has sent; undefined when it is none, or too large to be kept. */
export async function keptForm(exchange: Exchange, head: Head): Promise<KeptForm | undefined> {
  const { url = '' } = exchange.request
  if (!url.startsWith('/') || !isAnnouncedAs('application/x-www-form-urlencoded', exchange, head)) return undefined
  const body = await readBody(exchange)
  const sent = body.ok && body.bytes.length <= LONGEST ? parseForm(body.bytes) : undefined
  if (!sent) return undefined
  const kept = [...sent].filter(([name]) => !secretFields.test(name))
  return { to: url, fields: new URLSearchParams(kept).toString() }
}

/** The fields of a form that hand a kept form on, named `to` and `kept`. */
export function keptFields(kept: KeptForm | undefined): Html | null {
  if (!kept) return null
  return html`<input type="hidden" name="to" value="${kept.to}"><input type="hidden" name="kept" value="${kept.fields}">`
}

/** Finds routes; the pages of this folder get it from the table of routes, which they are part of. */
export type Find = Router['find']

/** Where a path and query of this site lead. */
export interface Target {
  found: Found
  address: Address
}

/**
 * The route that a text leads to, which may come from anywhere. Undefined unless it is a path and query of this site that has a
 * route, so that nobody is led elsewhere.
 */
export function targetOf(app: App, find: Find, method: 'GET' | 'POST', text: string): Target | undefined {
  if (!text.startsWith(`${app.basePath}/`) || !URL.canParse(text, 'http://site')) return undefined
  const { pathname, searchParams, host } = new URL(text, 'http://site')
  if (host !== 'site') return undefined
  const found = find(method, pathname)
  if (!found) return undefined
  const query: Query = Object.fromEntries([...searchParams.keys()].map(name => [name, searchParams.getAll(name)]))
  return { found, address: app.link(pathname.slice(app.basePath.length), query) }
}
