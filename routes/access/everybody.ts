import type { Access } from '../http/handler.ts'

const caller = { kind: 'everybody' } as const

/** Anybody may call. */
export const everybody: Access<typeof caller> = () => caller
