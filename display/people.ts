import type { Device } from '../store/people/devices.ts'
import type { Staff } from '../store/people/staff.ts'
import { type Column, count, words } from './cell.ts'
import { instantJson, minuteText } from './instant.ts'

/** Present and former staff; instants are shown in a time zone. */
export function staffColumns(zone: string): Column<Staff>[] {
  return [
    { key: 'id', head: 'id', cell: ({ id }) => count(id) },
    { key: 'name', head: 'name', cell: ({ name }) => words(name) },
    { key: 'role', head: 'role', cell: ({ role }) => words(role) },
    { key: 'since', head: 'since', cell: ({ createdAt }) => words(minuteText(createdAt, zone)) },
    { key: 'ended', head: '', cell: ({ endedAt }) => words(endText(endedAt, zone)) },
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
export function deviceColumns(zone: string): Column<Device>[] {
  return [
    { key: 'id', head: 'id', cell: ({ id }) => count(id) },
    { key: 'title', head: 'device', cell: ({ title }) => words(title) },
    { key: 'role', head: 'role', cell: ({ role }) => words(role) },
    { key: 'location_id', head: 'location', cell: ({ locationId }) => count(locationId) },
    { key: 'since', head: 'since', cell: ({ createdAt }) => words(minuteText(createdAt, zone)) },
    {
      key: 'seen',
      head: 'last seen',
      cell: ({ lastSeenAt }) => words(lastSeenAt === null ? 'never' : minuteText(lastSeenAt, zone)),
    },
    { key: 'ended', head: '', cell: ({ endedAt }) => words(endText(endedAt, zone)) },
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

function endText(endedAt: number | null, zone: string): string {
  return endedAt === null ? '' : `ended ${minuteText(endedAt, zone)}`
}
