import { userInfo } from 'node:os'

/** Who acts (decision 042): a person, a paired device, a system that has the API token, or a command of this computer's user. */
export interface Actor {
  kind: 'staff' | 'device' | 'token' | 'command'
  /** Of the staff or the device. */
  id: number | null
  /** As it is called now; the log keeps it when it changes or ends. */
  name: string
}

/** The system user that runs this process, as the one who acts by commands. */
export function systemUser(): Actor {
  return { kind: 'command', id: null, name: userName() }
}

function userName(): string {
  try {
    return userInfo().username
  } catch {
    // Containers often run as a user without a name.
    return `user ${process.getuid?.() ?? 'unknown'}`
  }
}
