import { spawnSync } from 'node:child_process'
import { createReadStream } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { createInterface } from 'node:readline'

// What programs do to the files of a folder, byte by byte, and what they answer meanwhile: read from what strace wrote down.

/** Something that a thread of a program did. `begun` and `ended` are places in the order of all moments of a recording. */
export type Happening = { begun: number; ended: number; thread: string } & (
  | { kind: 'create'; name: string; isEmptied: boolean }
  | { kind: 'write'; name: string; offset: number; bytes: Buffer }
  | { kind: 'truncate'; name: string; size: number }
  | { kind: 'rename' | 'link'; name: string; to: string }
  | { kind: 'unlink'; name: string }
  /** `name` is "." for the folder itself. */
  | { kind: 'sync'; name: string }
  /** An answer 201, or what a program printed; `trace` tells which program it was. */
  | { kind: 'answer'; trace: number; text: string }
)

/** The beginning or the end of what happened. */
export interface Moment {
  /** UTC milliseconds. */
  at: number
  isEnd: boolean
  happening: Happening
}

// What changes files, and what says something. A question mark is for calls that not every processor has.
const changing = ['?open', '?creat', 'openat', 'pwrite64', 'pwritev', '?pwritev2', 'ftruncate', 'truncate', 'fallocate']
const naming = ['?rename', 'renameat', 'renameat2', '?link', 'linkat', '?unlink', 'unlinkat', '?symlink', 'symlinkat']
const syncing = ['fsync', 'fdatasync', 'sync_file_range', 'msync', 'sync', 'syncfs']
const others = ['write', 'writev', 'sendto', 'sendmsg', 'mmap', 'copy_file_range', 'sendfile']

// More than a page of the database and more than an answer to an order.
const LONGEST_TEXT = 8192

const options = [
  '-D', // the program itself stays our child
  '-f', // the threads, too
  '-y', // the name of the file that is meant
  '-xx',
  `-s${LONGEST_TEXT}`,
  '--absolute-timestamps=unix,ns',
  '--syscall-times=ns',
  '--seccomp-bpf', // stops the program at these calls only
  '--signal=none',
  `--trace=${[...changing, ...naming, ...syncing, ...others].join(',')}`,
]

/** What to run a program under so that it is recorded into a file. */
export const recordedInto = (trace: string): string[] => ['strace', ...options, '-o', trace]

/** Why nothing can be recorded here, or undefined. */
export function whyNotRecorded(): string | undefined {
  const [command = '', ...args] = recordedInto('/dev/null')
  const { error, status, stderr } = spawnSync(command, [...args, 'true'], { encoding: 'utf8' })
  if (error) return 'strace is not installed, so nobody writes down what the server does to its file'
  return status === 0 ? undefined : `strace may not watch a process here: ${stderr.trim()}`
}

/** Environment of what is recorded: calls through io_uring would pass strace by. */
export const recordable = { UV_USE_IO_URING: '0' }

/**
 * What happened in a folder, of several programs in one order. Throws when they did what a recording can't hold, such as
 * to write through mapped memory. The companion `-shm` is left out: it is made anew by whoever opens the file first.
 */
export async function readRecording(folder: string, traces: string[]): Promise<Moment[]> {
  const moments: Moment[] = []
  for (const [trace, path] of traces.entries()) {
    // In a loop, because there are too many for the arguments of a call.
    for (const moment of await momentsIn(path, call => happeningOf(call, folder, trace))) moments.push(moment)
  }
  moments.sort((one, other) => one.at - other.at)
  for (const [place, { isEnd, happening }] of moments.entries()) happening[isEnd ? 'ended' : 'begun'] = place
  return moments
}

/** A call of the system as strace writes it: name(arguments) = result. */
interface Call {
  thread: string
  name: string
  /** Texts and names are in hexadecimal, so that commas and brackets are those of the arguments. */
  args: string
  /** What a file descriptor that it made stands for. */
  made: string
  hasFailed: boolean
}

/** What one trace has of interest, in its own order. */
async function momentsIn(path: string, interest: (call: Call) => Happening | undefined): Promise<Moment[]> {
  const edges: { at: number; isEnd: boolean; of: { happening?: Happening | undefined } }[] = []
  const unfinished = new Map<string, { text: string; of: { happening?: Happening | undefined } }>()
  let last = 0

  function add(at: number, isEnd: boolean, of: { happening?: Happening | undefined }): void {
    // The order of the lines counts; that of their times may differ from it by a nanosecond.
    last = Math.max(at, last)
    edges.push({ at: last, isEnd, of })
  }

  for await (const line of createInterface({ input: createReadStream(path) })) {
    const head = /^(\d+) +(\d+)\.(\d{9}) /.exec(line)
    const [start = '', thread = '', seconds, nanoseconds] = head ?? []
    const at = Number(seconds) * 1000 + Number(nanoseconds) / 1e6
    const text = line.slice(start.length)
    if (text.startsWith('+++')) continue
    if (text.startsWith('<... ')) {
      const begun = unfinished.get(thread)
      if (!begun) throw new Error(`there is an end without a beginning: ${line.slice(0, 200)}`)
      unfinished.delete(thread)
      begun.of.happening = interest(callOf(thread, begun.text + text.slice(text.indexOf('>') + 1)))
      add(at, true, begun.of)
    } else if (text.endsWith(' <unfinished ...>')) {
      const of = {}
      unfinished.set(thread, { text: text.slice(0, -' <unfinished ...>'.length), of })
      add(at, false, of)
    } else {
      const happening = interest(callOf(thread, text))
      if (!happening) continue
      const took = Number(/<(\d+\.\d+)>$/.exec(text)?.[1] ?? 0) * 1000
      add(at, false, { happening })
      add(at + took, true, { happening })
    }
  }
  return edges.flatMap(({ at, isEnd, of: { happening } }) => (happening ? [{ at, isEnd, happening }] : []))
}

function callOf(thread: string, text: string): Call {
  const open = text.indexOf('(')
  const close = text.lastIndexOf(') = ')
  if (open < 0 || close < 0) throw new Error(`this is no call: ${text.slice(0, 200)}`)
  const result = text.slice(close + ') = '.length)
  return {
    thread,
    name: text.slice(0, open),
    args: text.slice(open + 1, close),
    made: unhex(/^\d+<([^>]*)>/.exec(result)?.[1] ?? '').toString(),
    hasFailed: result.startsWith('-1') || result.startsWith('?'),
  }
}

const unhex = (text: string): Buffer => Buffer.from(text.replaceAll('\\x', ''), 'hex')
const hexOf = (text: string): string => Buffer.from(text).toString('hex').replace(/../g, '\\x$&')

/** What of a call is worth keeping. Throws where the recording would be wrong without it and can't hold it. */
function happeningOf(
  { thread, name, args, made, hasFailed }: Call,
  folder: string,
  trace: number,
): Happening | undefined {
  const unplaced = { begun: -1, ended: -1, thread }
  const described = unhex(/^\d+<([^>]*)>/.exec(args)?.[1] ?? '').toString()
  const file = within(folder, described)

  switch (name) {
    case 'write':
    case 'writev':
    case 'sendto':
    case 'sendmsg': {
      if (file !== undefined) throw new Error(`${name} to ${file} says no offset`)
      const isCreated = args.includes(hexOf('HTTP/1.1 201 '))
      // What is longer than strace writes down is printed by the compiler that runs beside.
      const isPrinted = args.startsWith('1<') && !args.includes('"...')
      return isCreated || isPrinted ? { kind: 'answer', trace, text: textsIn(args).toString(), ...unplaced } : undefined
    }
    case 'pwrite64': {
      if (file === undefined) return undefined
      const bytes = textsIn(args)
      const [length, offset] = args.slice(args.lastIndexOf('"')).match(/\d+/g) ?? []
      if (hasFailed || bytes.length !== Number(length)) throw new Error(`a write to ${file} was cut short`)
      return { kind: 'write', name: file, offset: Number(offset), bytes, ...unplaced }
    }
    case 'ftruncate':
      if (file === undefined) return undefined
      if (hasFailed) throw new Error(`${file} was not truncated`)
      return { kind: 'truncate', name: file, size: Number(/(\d+)$/.exec(args)?.[1]), ...unplaced }
    case 'fsync':
    case 'fdatasync':
      if (file === undefined) return undefined
      if (hasFailed) throw new Error(`${file} was not synced`)
      return { kind: 'sync', name: file, ...unplaced }
    case 'open':
    case 'openat': {
      const opened = within(folder, made)
      if (opened === undefined || !/O_CREAT|O_TRUNC/.test(args)) return undefined
      if (/O_D?SYNC|O_DIRECT\b/.test(args)) throw new Error(`${opened} is written around the cache`)
      return { kind: 'create', name: opened, isEmptied: args.includes('O_TRUNC'), ...unplaced }
    }
    case 'rename':
    case 'renameat':
    case 'renameat2':
    case 'link':
    case 'linkat':
    case 'unlink':
    case 'unlinkat': {
      const [from, to] = pathsIn(args).map(path => within(folder, path))
      if (hasFailed || (from === undefined && to === undefined)) return undefined
      const kind = name.startsWith('rename') ? 'rename' : name.startsWith('link') ? 'link' : 'unlink'
      if (from === undefined) throw new Error(`${to} came from outside of the folder`)
      if (kind === 'unlink') return { kind, name: from, ...unplaced }
      if (to === undefined) throw new Error(`${from} got a name outside of the folder`)
      return { kind, name: from, to, ...unplaced }
    }
    case 'mmap': {
      const [mapped] = [...args.matchAll(/<([^>]*)>/g)].map(([, path = '']) => within(folder, unhex(path).toString()))
      if (mapped !== undefined && /PROT_WRITE.*MAP_SHARED/.test(args))
        throw new Error(`${mapped} is written through memory`)
      return undefined
    }
    default:
      if (file !== undefined || name === 'sync' || name === 'syncfs')
        throw new Error(`nobody foresaw ${name} of ${file}`)
      return undefined
  }
}

/** The name of a path's file in the folder, "." for the folder itself, undefined for what is elsewhere or left out. */
function within(folder: string, path: string): string | undefined {
  const bare = path.replace(/ ?\(deleted\)$/, '')
  if (bare === folder) return '.'
  return dirname(bare) === folder && !bare.endsWith('-shm') ? bare.slice(folder.length + 1) : undefined
}

/** All texts among arguments, one behind the other. */
function textsIn(args: string): Buffer {
  return Buffer.concat(
    [...args.matchAll(/"([^"]*)"(\.\.\.)?/g)].map(([, text = '', isCut]) => {
      if (isCut) throw new Error('a text is longer than what strace was told to write down')
      return unhex(text)
    }),
  )
}

/** The paths among arguments; one that is relative to an open folder begins there. */
function pathsIn(args: string): string[] {
  return [...args.matchAll(/(?:<([^>]*)>, )?"([^"]*)"/g)].map(([, folder = '', path = '']) =>
    resolve(unhex(folder).toString(), unhex(path).toString()),
  )
}
