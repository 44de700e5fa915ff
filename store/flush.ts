import { once } from 'node:events'
import { startThread } from './thread.ts'

/** What the thread of flush-thread.ts is started with. */
export interface FlushOf {
  file: string
}

/**
 * Flushes a file to the disk again and again while it is written, until it is stopped. What is left for the end would hold
 * up the flushes of everybody else. `stop` rejects when a flush has failed.
 */
export async function flushInBackground(file: string): Promise<{ stop(): Promise<void> }> {
  const thread = startThread(new URL('flush-thread.ts', import.meta.url), { file } satisfies FlushOf)
  const ended = once(thread, 'exit')
  // Known only to whoever stops it.
  ended.catch(() => {})
  await once(thread, 'message')
  return {
    async stop() {
      thread.postMessage('stop')
      await ended
    },
  }
}
