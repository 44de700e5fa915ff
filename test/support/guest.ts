import assert from 'node:assert/strict'
import { modesOfKind } from '../../store/guests/switches.ts'
import { guestKinds } from '../../store/terms/channels.ts'
import { formsIn } from './pages.ts'
import { accepted } from './refusals.ts'
import type { Shop } from './shop.ts'

/** Turns the guests' pages of all kinds on at every location, and returns the codes of the tables by title. */
export function openToGuests({ store }: Pick<Shop, 'store'>): Map<string, string> {
  const codes = new Map<string, string>()
  for (const kind of guestKinds) {
    accepted(store.settings.set(`guests.${kind}`, 'on'))
    for (const { id } of store.catalogue.current().locations) {
      accepted(store.guestSwitches.set(id, kind, modesOfKind[kind]))
    }
  }
  for (const { id } of store.catalogue.current().locations) {
    accepted(store.tableCodes.make(id))
    for (const { title, code } of store.tableCodes.list(id)) codes.set(title, code ?? '')
  }
  return codes
}

export interface Page {
  status: number
  text: string
  headers: Headers
  /** Where it leads to; null: nowhere. */
  location: string | null
}

export type Fields = Record<string, string>

/** A guest's browser without script: it keeps cookies for their paths, and sends forms. */
export interface Guest {
  get(path: string, headers?: Fields): Promise<Page>
  post(path: string, fields: Fields): Promise<Page>
  /** Adds a dish by its form and opens the checkout; returns the fields of its form. */
  fill(base: string, ...dishes: { id: number; fields?: Fields }[]): Promise<Fields>
  /** Chooses how the guest gets the food. */
  choose(base: string, fields: Fields): Promise<Page>
  /** Sends the form of a checkout. */
  place(base: string, fields: Fields): Promise<Page>
  cookies: Map<string, { value: string; path: string }>
}

export function guest({ url }: Pick<Shop, 'url'>, headers: Record<string, string> = {}): Guest {
  const cookies: Guest['cookies'] = new Map()

  async function call(method: string, path: string, fields?: Fields, more: Fields = {}): Promise<Page> {
    const sent = [...cookies]
      .filter(([, cookie]) => path.startsWith(cookie.path))
      .map(([key, { value }]) => `${key.split(' ')[0]}=${value}`)
    const response = await fetch(`${url}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        Accept: 'text/html',
        Origin: new URL(url).origin,
        ...headers,
        ...more,
        Cookie: [...sent, headers.Cookie, more.Cookie].filter(Boolean).join('; '),
      },
      ...(fields && { body: new URLSearchParams(fields) }),
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = '', cookiePath = '/'] = /^([^=]+)=([^;]*);.*Path=([^;]+)/.exec(cookie) ?? []
      if (value === '') cookies.delete(`${name} ${cookiePath}`)
      else cookies.set(`${name} ${cookiePath}`, { value, path: cookiePath })
    }
    return {
      status: response.status,
      text: await response.text(),
      headers: response.headers,
      location: response.headers.get('location'),
    }
  }

  const get = (path: string, more?: Fields) => call('GET', path, undefined, more)
  const post = (path: string, fields: Fields) => call('POST', path, fields)
  return {
    get,
    post,
    cookies,
    place: (base, fields) => post(`${base}/place`, fields),
    choose: (base, fields) => post(`${base}/cart`, fields),
    async fill(base, ...dishes) {
      for (const { id, fields } of dishes) {
        const added = await post(`${base}/dish/${id}`, { quantity: '1', ...fields })
        assert.equal(added.status, 303, added.text)
      }
      const checkout = await get(`${base}/checkout`)
      assert.equal(checkout.status, 200, checkout.location ?? checkout.text)
      return fieldsOf(checkout)
    },
  }
}

/** The fields of the form that places an order, as a page offers it. */
export function fieldsOf({ text }: Pick<Page, 'text'>): Fields {
  const form = formsIn(text).find(({ path }) => path.endsWith('/place'))
  assert.ok(form, text)
  // Of the times, the first one is chosen.
  return Object.fromEntries(form.fields.toReversed().map(({ name, value }) => [name, value]))
}

/** What a page says, without its tags. */
export function saidBy({ text }: Pick<Page, 'text'>): string {
  return text
    .replace(/<(style|script|head)[\s\S]*?<\/\1>/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&#39;', "'")
    .replace(/\s+/g, ' ')
}

/** The total of a cart as its page shows it, in minor units; undefined: it shows none. */
export function totalOn(page: string): number | undefined {
  const shown = /<tr class="grand">[\s\S]*?<td class="num">([^<]*)</.exec(page)?.[1]
  return shown === undefined ? undefined : Number(shown.replace(/\D/g, ''))
}

/** The prices of the lines of a cart as its page shows them, in minor units. */
export function linePricesOn(page: string): number[] {
  return [...page.matchAll(/<span class="num price">([^<]*)</g)].map(([, text = '']) => Number(text.replace(/\D/g, '')))
}
