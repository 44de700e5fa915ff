import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { Session } from 'node:inspector/promises'
import { fileURLToPath } from 'node:url'

const questions = {
  /** Microseconds of processor time that all threads of the process have used. */
  cpu(): number {
    const { user, system } = process.cpuUsage()
    return user + system
  },

  /** Bytes of memory that the process holds after it has freed everything it can. */
  async memory(): Promise<number> {
    // Unlike gc(), this also shrinks the space for young objects, which grows at first even if little is kept.
    const session = new Session()
    session.connect()
    await session.post('HeapProfiler.collectGarbage')
    session.disconnect()
    return process.memoryUsage.rss()
  },
}

type Question = keyof typeof questions

/** Called in a server's own process: reports its port to the parent process, and then responds to its questions. */
export function answerStarter(port: number): void {
  process.on('message', async (question: Question) => process.send?.(await questions[question]()))
  process.on('disconnect', () => process.exit())
  process.send?.(port)
}

export interface Server {
  port: number
  ask(question: Question): Promise<number>
  stop(): Promise<void>
}

export interface StartOptions {
  /** A program and its arguments to run the server under, such as a tracer. */
  under?: string[]
  /** Where what the server writes on standard error goes: a file descriptor. */
  log: number
}

/** Starts a script of this folder, which must call `answerStarter`, with parameters that it finds as JSON in argv[2]. */
export async function start(script: string, parameters: unknown, { under = [], log }: StartOptions): Promise<Server> {
  const path = fileURLToPath(new URL(script, import.meta.url))
  const [command = '', ...args] = [...under, process.execPath, '--import', 'tsx', path, JSON.stringify(parameters)]
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', log, 'ipc'] })
  const port = await nextMessage(child)
  return {
    port,
    ask(question) {
      child.send(question)
      return nextMessage(child)
    },
    async stop() {
      const ended = once(child, 'exit')
      child.disconnect()
      await ended
    },
  }
}

function nextMessage(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    function onMessage(message: unknown): void {
      child.off('exit', onExit)
      resolve(Number(message))
    }
    function onExit(code: number | null): void {
      child.off('message', onMessage)
      reject(new Error(`a server ended by itself with code ${code}`))
    }
    child.once('message', onMessage)
    child.once('exit', onExit)
  })
}
