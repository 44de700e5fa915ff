import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { root } from './folders.ts'

/** The server in its own process, as a person starts it. */
export interface Program {
  child: ChildProcess
  port: number
  /** What it has written on standard error so far. */
  stderr(): string
  /** The lines of its log so far. */
  logged(): Record<string, unknown>[]
  /** Sends a signal, waits until the process and its tracer have ended, and returns the log and the exit code. */
  end(signal: NodeJS.Signals): Promise<Ended>
}

export interface Ended {
  /** The exit code, or null when a signal ended it. */
  code: number | null
  logged: Record<string, unknown>[]
}

export interface ProgramOptions {
  /** A program and its arguments to run the server under, such as a tracer. */
  under?: string[]
  environment?: Record<string, string>
}

/** The server ended instead of serving, with this exit code and this output. */
export class DidNotStart extends Error {
  readonly code: number | null
  readonly told: string

  constructor(code: number | null, told: string) {
    super(`The server did not start:\n${told}`)
    this.code = code
    this.told = told
  }
}

/** Starts the server on a file and waits until it serves. Rejects with DidNotStart when it ends instead. */
export async function startProgram(
  file: string,
  { under = [], environment = {} }: ProgramOptions = {},
): Promise<Program> {
  const [command = '', ...args] = [...under, process.execPath, '--import', 'tsx', 'server.ts']
  const child = spawn(command, args, {
    cwd: root,
    env: {
      ...process.env,
      DATABASE_FILE: file,
      HOST: '127.0.0.1',
      PORT: '0',
      BASE_PATH: '',
      TRUSTED_PROXIES: '',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const closed = once(child, 'close')
  let errors = ''
  child.stderr.on('data', chunk => (errors += chunk))
  const port = await new Promise<number>((resolve, reject) => {
    let output = ''
    child.stdout.on('data', chunk => {
      output += chunk
      const found = / at http:\/\/127\.0\.0\.1:(\d+)\n/.exec(output)
      if (found) resolve(Number(found[1]))
    })
    closed.then(([code]) => reject(new DidNotStart(code, `${output}${errors}`)), reject)
  })

  function logged(): Record<string, unknown>[] {
    // A killed process can leave a partial line.
    const lines = errors.split('\n').filter(line => line.startsWith('{') && line.endsWith('}'))
    return lines.map(line => JSON.parse(line))
  }

  return {
    child,
    port,
    stderr: () => errors,
    logged,
    async end(signal) {
      child.kill(signal)
      const [code] = await closed
      return { code, logged: logged() }
    },
  }
}
