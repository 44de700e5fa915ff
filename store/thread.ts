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
