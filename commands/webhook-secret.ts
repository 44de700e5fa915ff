import { isUtf8 } from 'node:buffer'
import { randomBytes } from 'node:crypto'
import { generateSecret, parseSecret } from '../store/outbox/secrets.ts'
import { isRefused } from '../store/terms/refusal.ts'
import { type CommandCall, counted, done, type Outcome, refused } from './command.ts'

/**
 * `webhooks secret …`: the signing secrets (decision F5). A secret goes in and never comes out again; one that is made
 * here is printed this once.
 */
export async function secret(call: CommandCall): Promise<Outcome | undefined> {
  const [verb, value, ...rest] = call.args
  if (rest.length > 0) return undefined
  switch (verb) {
    case 'set':
      return value === 'generate'
        ? make(call, 'set')
        : take(call, 'set', value === undefined || value === '-' ? await typed(call) : value)
    case 'generate':
      return value === undefined ? make(call, 'set') : undefined
    case 'rotate':
      if (value === undefined || value === 'generate') return make(call, 'rotate')
      return take(call, 'rotate', value === '-' ? await typed(call) : value)
    case 'retire':
    case 'clear': {
      if (value !== undefined) return undefined
      const { secrets } = call.store().webhooks
      const refusal = verb === 'retire' ? secrets.retire() : secrets.clear()
      if (refusal) return refused(refusal)
      return done(
        verb === 'retire' ? 'Only the newest secret is active now.' : 'No secret is set: deliveries are unsigned now.',
        { active: secrets.createdAt().length },
      )
    }
    default:
      return undefined
  }
}

/** Standard input without the line break that ends it; undefined when it is not UTF-8. */
async function typed({ input }: CommandCall): Promise<string | undefined> {
  if (process.stdin.isTTY) console.error('Type the secret, then Enter and Ctrl-D:')
  const bytes = await input()
  return isUtf8(bytes) ? bytes.toString('utf8').replace(/\r?\n$/, '') : undefined
}

function make(call: CommandCall, how: 'set' | 'rotate'): Outcome {
  const made = generateSecret(randomBytes)
  const taken = take(call, how, made)
  if (!taken.ok) return taken
  return done(`${made}\n${taken.text} It is not shown again.`, { secret: made, ...(taken.json as object) })
}

function take({ store }: CommandCall, how: 'set' | 'rotate', text: string | undefined): Outcome {
  if (text === undefined) return refused('This cannot be a secret: it is not UTF-8 text.')
  const parsed = parseSecret(text)
  if (isRefused(parsed)) return refused(parsed)
  const { secrets } = store('create').webhooks
  secrets[how](parsed.secret)
  const active = secrets.createdAt().length
  const told =
    active === 1
      ? 'Deliveries are signed with this secret now.'
      : `Deliveries are signed with ${counted(active, 'secret')} now; end the older with: webhooks secret retire.`
  return done(parsed.warning ? `${told}\nwarning  ${parsed.warning}` : told, { active, warning: parsed.warning })
}
