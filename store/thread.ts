import { getPriority, platform, setPriority } from 'node:os'
import { Worker } from 'node:worker_threads'

/**
 * Starts a thread of this process that runs a TypeScript file. The thread loads the TypeScript loader itself, because not every
 * supported version of Node lets it inherit that of the main thread.
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
 * Lowers the priority of the calling thread to one of `os.constants.priority`. Only on Linux, where each thread has its own
 * priority; elsewhere this would slow down the orders as well. Throws if the system does not allow it.
 */
export function stepBehind(priority: number): void {
  if (platform() === 'linux' && getPriority() < priority) setPriority(priority)
}

/** The parts of an error that a message between threads would lose. */
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

/** Restores an error of another thread. */
export function errorOf({ message, stack, code }: PortableError): Error {
  return Object.assign(new Error(message), { stack }, code !== undefined && { code })
}

/** Runs the start of a thread. An error that ends a thread loses its message if its class is not one of the platform's. */
export function withPortableErrors<T>(begin: () => T): T {
  try {
    return begin()
  } catch (error) {
    throw errorOf(portable(error))
  }
}
