import { getPriority, platform, setPriority } from 'node:os'
import { Worker } from 'node:worker_threads'

/**
 * Starts a thread of this process that runs a TypeScript file. A thread does not inherit the loader of the main one on every
 * version of Node that Servery runs on, so it loads it itself.
 */
export function startThread(file: URL, workerData: unknown): Worker {
  const script = `
    import(${JSON.stringify(import.meta.resolve('tsx/esm/api'))}).then(({ register }) => {
      register()
      return import(${JSON.stringify(file.href)})
    })`
  return new Worker(script, { eval: true, execArgv: [], workerData })
}

/**
 * Lowers the priority of the thread that calls it to one of `os.constants.priority`. Only Linux gives each thread its own;
 * elsewhere it would slow the orders as well. Throws when the system does not allow it.
 */
export function stepBehind(priority: number): void {
  if (platform() === 'linux' && getPriority() < priority) setPriority(priority)
}

/** The parts of an error that a message between threads would leave out. */
export interface PortableError {
  message: string
  stack?: string | undefined
  code?: unknown
}

export function portable(error: unknown): PortableError {
  if (!(error instanceof Error)) return { message: String(error) }
  const { message, stack } = error
  return { message, stack, code: 'code' in error ? error.code : undefined }
}

/** An error of another thread as it was there. */
export function errorOf({ message, stack, code }: PortableError): Error {
  return Object.assign(new Error(message), { stack }, code !== undefined && { code })
}
