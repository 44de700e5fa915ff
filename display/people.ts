import type { Device } from '../store/people/devices.ts'
import type { Staff } from '../store/people/staff.ts'
import { type Column, count, words } from './cell.ts'
import { instantJson, minuteText } from './instant.ts'
import { type Language, sentences } from './language.ts'
import { deviceRoleText, roleText } from './terms.ts'

/** Present and former staff; instants are shown in a time zone. */
export function staffColumns(zone: string, language: Language = 'en'): Column<Staff>[] {
  return [
    { key: 'id', head: 'id', cell: ({ id }) => count(id) },
    { key: 'name', head: 'name', cell: ({ name }) => words(name) },
    { key: 'role', head: 'role', cell: ({ role }) => words(roleText(role, language)) },
    { key: 'since', head: 'since', cell: ({ createdAt }) => words(minuteText(createdAt, zone)) },
    { key: 'ended', head: '', cell: ({ endedAt }) => words(endText(endedAt, zone, language)) },
  ]
}

export function staffJson({ id, name, role, createdAt, endedAt }: Staff) {
  return {
    id,
    name,
    role,
    created_at: instantJson(createdAt),
    ended_at: endedAt === null ? null : instantJson(endedAt),
  }
}

/** The devices; instants are shown in a time zone. */
export function deviceColumns(zone: string, language: Language = 'en'): Column<Device>[] {
  return [
    { key: 'id', head: 'id', cell: ({ id }) => count(id) },
    { key: 'title', head: 'device', cell: ({ title }) => words(title) },
    { key: 'role', head: 'role', cell: ({ role }) => words(deviceRoleText(role, language)) },
    { key: 'location_id', head: 'location', cell: ({ locationId }) => count(locationId) },
    { key: 'since', head: 'since', cell: ({ createdAt }) => words(minuteText(createdAt, zone)) },
    {
      key: 'seen',
      head: 'last seen',
      cell: ({ lastSeenAt }) => words(lastSeenAt === null ? peopleWords[language].never : minuteText(lastSeenAt, zone)),
    },
    { key: 'ended', head: '', cell: ({ endedAt }) => words(endText(endedAt, zone, language)) },
  ]
}

export function deviceJson({ id, title, role, locationId, createdAt, lastSeenAt, endedAt }: Device) {
  return {
    id,
    title,
    role,
    location_id: locationId,
    created_at: instantJson(createdAt),
    last_seen_at: lastSeenAt === null ? null : instantJson(lastSeenAt),
    ended_at: endedAt === null ? null : instantJson(endedAt),
  }
}

function endText(endedAt: number | null, zone: string, language: Language): string {
  return endedAt === null ? '' : peopleWords[language].ended(minuteText(endedAt, zone))
}

const peopleWords = sentences({
  never: { en: 'never', de: 'nie', pt: 'nunca' },
  ended: { en: (at: string) => `ended ${at}`, de: at => `beendet ${at}`, pt: at => `terminou ${at}` },
})
