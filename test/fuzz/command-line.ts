import { Readable } from 'node:stream'

/** What a command line comes to. */
export interface Run {
  code: unknown
  stdout: string
  stderr: string
}

let runs = 0

/**
 * Runs cli.ts in this process, as `DATABASE_FILE=file servery …words` would, with this on standard input. Rejects
 * with whatever it throws, which a process of its own would end with a stack trace.
 */
export async function runCommandLine(file: string, words: readonly string[], input: Buffer): Promise<Run> {
  const { argv, env, exitCode } = process
  const stdin = Object.getOwnPropertyDescriptor(process, 'stdin')
  const { log, error } = console
  const listeners = process.stdout.listeners('error')
  let stdout = ''
  let stderr = ''
  try {
    process.argv = [argv[0] ?? '', 'cli.ts', ...words]
    process.env = { ...env, DATABASE_FILE: file }
    Object.defineProperty(process, 'stdin', { value: Readable.from([input]), configurable: true })
    console.log = (text: unknown) => {
      stdout += `${text}\n`
    }
    console.error = (text: unknown) => {
      stderr += `${text}\n`
    }
    // A module runs once for each name that it is imported by.
    await import(`../../cli.ts?run=${++runs}`)
    return { code: process.exitCode, stdout, stderr }
  } finally {
    process.argv = argv
    process.env = env
    if (stdin) Object.defineProperty(process, 'stdin', stdin)
    Object.assign(console, { log, error })
    for (const listener of process.stdout.listeners('error')) {
      if (!listeners.includes(listener)) process.stdout.off('error', listener as () => void)
    }
    process.exitCode = exitCode
  }
}
