import { userInfo } from 'node:os'

/** The actor (decision 042): a person, a paired device, a system with the API token, the system user of a command, or a guest. */
export interface Actor {
  kind: 'staff' | 'device' | 'token' | 'command' | 'guest'
  /** The id of the staff member or the device. */
  id: number | null
  /** Its current name; the audit trail keeps it when it changes or ends. */
  name: string
}

/** Whoever placed an order on the guests' pages; the audit trail never names them. */
export const guestActor: Actor = { kind: 'guest', id: null, name: 'guest' }

/** The system user that runs this process, as the actor of commands. */
export function systemUser(): Actor {
  return { kind: 'command', id: null, name: userName() }
}

function userName(): string {
  try {
    return userInfo().username
  } catch {
    // Containers often run as a user that has no name.
    return `user ${process.getuid?.() ?? 'unknown'}`
  }
}
