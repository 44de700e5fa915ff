import type { Db } from './file/open.ts'
import type { GuestRules } from './ordering/guest-orders.ts'
import type { Noting } from './people/activity.ts'
import { type DepleteAt, depletionStatuses } from './stock/depletion.ts'
import { type GuestKind, type ServiceMode, serviceModes } from './terms/channels.ts'
import { isTimeZone } from './terms/clock.ts'
import { type ItemId, parseId } from './terms/ids.ts'
import type { Refusal, SettingFlaw } from './terms/refusal.ts'
import { flawOfText } from './terms/text.ts'

/** The site's settings, as the server uses them. */
export interface Settings {
  /** The first switch of section 1: the API module is active. */
  moduleEnabled: boolean
  /** The second switch: Enable API under Integrations. */
  apiEnabled: boolean
  /** The zone of `placed_at` (decision D7). */
  timezone: string
  title: string
  /** How many orders one address may create in a window (section 8, decision B3). */
  ordersLimit: number
  ordersLimitWindowS: number
  /** The status at which an order takes its stock (decision E3). */
  depleteAt: DepleteAt
  /** How many minutes the pick-up board shows an order that is ready (decision 057). */
  boardMinutes: number
  /** The service modes whose orders the kitchen gets only when they are paid (decision 057). */
  whenPaid: readonly ServiceMode[]
  /** Whether the API takes orders only while a location is open (decision D10). */
  onlyWhenOpen: boolean
  /** The rules for orders of guests (decision 060). */
  guestRules: GuestRules
  /** The hour of the nightly backup in the site's zone, 0 to 23; null: none is made (decision 052). */
  backupHour: number | null
  /** How many nightly backups are kept. */
  backupsKept: number
  /** The kinds of guests' pages that are on for the site (decision G1). */
  guests: Record<GuestKind, boolean>
  /** The dishes that are offered to guests once, on the page of their cart. */
  guestsUpsell: ItemId[]
  /** The language of what is printed for the kitchen: en, de or pt. */
  kitchenLanguage: string
  /** The ages at which the kitchen's screens mark a ticket as slow and as late (milliseconds, decision 055). */
  kitchenSlowMs: number
  kitchenLateMs: number
}

interface Definition {
  fallback: string
  /** What is wrong with a value, or null. */
  flaw(value: string): SettingFlaw | null
}

const oneOf =
  (...choices: readonly string[]): Definition['flaw'] =>
  value =>
    choices.includes(value) ? null : { oneOf: choices }

const onOff = oneOf('on', 'off')

/** Some of these choices, separated by commas, or "none". */
const someOf =
  (...choices: readonly string[]): Definition['flaw'] =>
  value =>
    value === 'none' || value.split(',').every(each => choices.includes(each)) ? null : { someOf: choices }

const whole =
  (most: number): Definition['flaw'] =>
  value =>
    /^[1-9]\d{0,9}$/.test(value) && Number(value) <= most ? null : { wholeNumberTo: most }

const MOST_UPSOLD = 3

const upsell: Definition['flaw'] = value =>
  value === '' || idsIn(value).length === value.split(',').length ? null : { idsTo: MOST_UPSOLD }

/** The ids in a list such as "12,15"; empty for a list that is too long. */
function idsIn(value: string): ItemId[] {
  const parts = value.split(',')
  return parts.length > MOST_UPSOLD ? [] : parts.flatMap(part => parseItem(part) ?? [])
}

function parseItem(text: string): ItemId | undefined {
  return /^[1-9]\d{0,15}$/.test(text) ? parseId<ItemId>(Number(text)) : undefined
}

/** A whole number of minutes, or 0 for none. */
const minutes: Definition['flaw'] = value => (value === '0' ? null : whole(60)(value))

const definitions = {
  'api.module_enabled': { fallback: 'off', flaw: onOff },
  'api.enabled': { fallback: 'off', flaw: onOff },
  'site.timezone': {
    fallback: 'UTC',
    flaw: value => (isTimeZone(value) ? null : 'time zone'),
  },
  'site.title': { fallback: 'Servery', flaw: value => flawOfText(value, { least: 1, most: 200, isOneLine: true }) },
  'orders.limit': { fallback: '60', flaw: whole(1_000_000_000) },
  'orders.limit_window_s': { fallback: '300', flaw: whole(86_400) },
  'orders.only_when_open': { fallback: 'off', flaw: onOff },
  'kitchen.when_paid': { fallback: 'none', flaw: someOf(...serviceModes) },
  'board.minutes': { fallback: '10', flaw: whole(240) },
  'backup.hour': { fallback: 'off', flaw: value => (/^(off|\d|1\d|2[0-3])$/.test(value) ? null : 'hour') },
  'backup.kept': { fallback: '30', flaw: whole(1000) },
  'guests.storefront': { fallback: 'off', flaw: onOff },
  'guests.qr': { fallback: 'off', flaw: onOff },
  'guests.kiosk': { fallback: 'off', flaw: onOff },
  'guests.confirm_first': { fallback: 'on', flaw: onOff },
  'guests.cancel_minutes': { fallback: '0', flaw: minutes },
  'guests.upsell': { fallback: '', flaw: upsell },
  'kitchen.language': { fallback: 'en', flaw: oneOf('en', 'de', 'pt') },
  'kitchen.slow_minutes': { fallback: '8', flaw: whole(1440) },
  'kitchen.late_minutes': { fallback: '15', flaw: whole(1440) },
  'stock.deplete_at': { fallback: 'placed', flaw: oneOf(...depletionStatuses) },
} as const satisfies Record<string, Definition>

export type SettingKey = keyof typeof definitions

export const settingKeys = Object.keys(definitions) as SettingKey[]

function isSettingKey(key: string): key is SettingKey {
  return Object.hasOwn(definitions, key)
}

export function settings(db: Db, { note }: Noting) {
  const selectAll = db.prepare<[], { key: string; value: string }>('SELECT key, value FROM setting')
  const upsert = db.prepare<[SettingKey, string]>(
    'INSERT INTO setting (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
  )
  let loaded = load()

  const change = db.transaction((key: SettingKey, value: string): void => {
    const was = all()[key]
    upsert.run(key, value)
    if (value !== was) note({ what: 'setting changed', subject: key, was, became: value })
  })

  const changeAll = db.transaction((values: [SettingKey, string][]): void => {
    for (const [key, value] of values) change(key, value)
  })

  function all(): Record<SettingKey, string> {
    const stored = new Map(selectAll.all().map(row => [row.key, row.value]))
    const values = settingKeys.map(key => [key, stored.get(key) ?? definitions[key].fallback])
    return Object.fromEntries(values) as Record<SettingKey, string>
  }

  function load(): Settings {
    const value = all()
    return {
      moduleEnabled: value['api.module_enabled'] === 'on',
      apiEnabled: value['api.enabled'] === 'on',
      timezone: value['site.timezone'],
      title: value['site.title'],
      ordersLimit: Number(value['orders.limit']),
      ordersLimitWindowS: Number(value['orders.limit_window_s']),
      depleteAt: depletionStatuses.find(known => known === value['stock.deplete_at']) ?? 'placed',
      boardMinutes: Number(value['board.minutes']),
      whenPaid: serviceModes.filter(mode => value['kitchen.when_paid'].split(',').includes(mode)),
      onlyWhenOpen: value['orders.only_when_open'] === 'on',
      guestRules: {
        confirmFirst: value['guests.confirm_first'] === 'on',
        cancelMinutes: Number(value['guests.cancel_minutes']),
      },
      backupHour: value['backup.hour'] === 'off' ? null : Number(value['backup.hour']),
      backupsKept: Number(value['backup.kept']),
      guests: {
        storefront: value['guests.storefront'] === 'on',
        qr: value['guests.qr'] === 'on',
        kiosk: value['guests.kiosk'] === 'on',
      },
      guestsUpsell: idsIn(value['guests.upsell']),
      kitchenLanguage: value['kitchen.language'],
      kitchenSlowMs: Number(value['kitchen.slow_minutes']) * 60_000,
      kitchenLateMs: Number(value['kitchen.late_minutes']) * 60_000,
    }
  }

  return {
    /** Every key with its value or default, as text. */
    all,

    /** The settings in memory, as of the last refresh. */
    current: (): Settings => loaded,

    /** Reads the settings again; called when something in the file has changed. */
    reload(): void {
      loaded = load()
    },

    /** Why a value is refused; undefined if it is not. */
    flawOf,

    /** Stores one setting. Refuses an unknown key and an invalid value. */
    set(key: string, value: string): Refusal<'unknown setting' | 'invalid setting'> | undefined {
      if (!isSettingKey(key)) return { refused: 'unknown setting', key, known: settingKeys }
      const refusal = flawOf(key, value)
      if (refusal) return refusal
      change.immediate(key, value)
      loaded = load()
      return undefined
    },

    /** Stores several settings, all or none. Refuses the first invalid value. */
    setAll(values: Partial<Record<SettingKey, string>>): Refusal<'invalid setting'> | undefined {
      const given = settingKeys.flatMap((key): [SettingKey, string][] => {
        const value = values[key]
        return value === undefined ? [] : [[key, value]]
      })
      for (const [key, value] of given) {
        const refusal = flawOf(key, value)
        if (refusal) return refusal
      }
      changeAll.immediate(given)
      loaded = load()
      return undefined
    },
  }
}

function flawOf(key: SettingKey, value: string): Refusal<'invalid setting'> | undefined {
  const flaw = definitions[key].flaw(value)
  return flaw ? { refused: 'invalid setting', key, value, flaw } : undefined
}
