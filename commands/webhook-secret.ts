import { isUtf8 } from 'node:buffer'
import { randomBytes } from 'node:crypto'
import { generateSecret, parseSecret } from '../store/outbox/secrets.ts'
import { isRefused } from '../store/terms/refusal.ts'
import { type CommandCall, counted, didYouMean, done, misused, type Outcome, refused } from './command.ts'

/**
 * `webhooks secret …`: the signing secrets (decision F5). A stored secret is never printed; a generated one is printed once.
 */
export async function secret(call: CommandCall): Promise<Outcome> {
  const [act = '', value] = call.args
  if (value !== undefined && ['generate', 'retire', 'clear'].includes(act)) {
    return misused(`"webhooks secret ${act}" takes no value.`)
  }
  switch (act) {
    case 'set':
      if (value === 'generate') return make(call, 'set')
      return take(call, 'set', value === undefined || value === '-' ? await typed(call) : value)
    case 'generate':
      return make(call, 'set')
    case 'rotate':
      if (value === undefined || value === 'generate') return make(call, 'rotate')
      return take(call, 'rotate', value === '-' ? await typed(call) : value)
    case 'retire':
    case 'clear': {
      const { secrets } = call.store().webhooks
      const refusal = act === 'retire' ? secrets.retire() : secrets.clear()
      if (refusal) return refused(refusal)
      return done(
        act === 'retire' ? 'Only the newest secret is active now.' : 'No secret is set: deliveries are unsigned now.',
        { active: secrets.createdAt().length },
      )
    }
    default:
      return misused(`There is no "webhooks secret ${act}".${didYouMean(act, ['set', 'rotate', 'retire', 'clear'])}`)
  }
}

/** Standard input without its last line break; undefined if it is not UTF-8 or too long. */
async function typed({ input }: CommandCall): Promise<string | undefined> {
  if (process.stdin.isTTY) console.error('Type the secret, then Enter and Ctrl-D:')
  const bytes = await input()
  return bytes && isUtf8(bytes) ? bytes.toString('utf8').replace(/\r?\n$/, '') : undefined
}

function make(call: CommandCall, how: 'set' | 'rotate'): Outcome {
  const made = generateSecret(randomBytes)
  const taken = take(call, how, made)
  if (taken.code !== 0) return taken
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
      : `Deliveries are signed with ${counted(active, 'secret')} now; end the older ones with: webhooks secret retire.`
  return done(parsed.warning ? `${told}\nwarning  ${parsed.warning}` : told, { active, warning: parsed.warning })
}
