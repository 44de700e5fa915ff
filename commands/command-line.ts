import { type Command, didYouMean } from './command.ts'

/** The arguments and options of a command, or why they do not match its usage. */
export type CommandLine =
  | { isRight: true; args: string[]; options: Record<string, string | boolean> }
  | { isRight: false; why: string; isJson: boolean }

/**
 * Reads the words after a command's name. A negative number is an argument, not an option; "--" ends the options. Every command
 * has the option --json.
 */
export function readCommandLine({ takes = [], options: own = {} }: Command, words: readonly string[]): CommandLine {
  const known: NonNullable<Command['options']> = { ...own, json: { type: 'boolean' } }
  const args: string[] = []
  const options: Record<string, string | boolean> = {}
  const end = words.indexOf('--')
  const wrong = (why: string): CommandLine => ({
    isRight: false,
    why,
    isJson: words.slice(0, end < 0 ? undefined : end).includes('--json'),
  })
  const rest = [...words]
  while (rest.length > 0) {
    const word = rest.shift() ?? ''
    if (word === '--') {
      args.push(...rest.splice(0))
    } else if (!word.startsWith('-') || word === '-' || /^-\d/.test(word)) {
      args.push(word)
    } else {
      const [, name = '', value] = /^--?([^=]*)(?:=(.*))?$/s.exec(word) ?? []
      const option = word.startsWith('--') && Object.hasOwn(known, name) ? known[name] : undefined
      if (!option) return wrong(`There is no option "${word}".${suggested(name, Object.keys(known))}`)
      if (Object.hasOwn(options, name)) return wrong(`--${name} is given twice.`)
      if (option.type === 'boolean') {
        if (value !== undefined) return wrong(`--${name} takes no value.`)
        options[name] = true
      } else {
        const next = value ?? (rest[0]?.startsWith('--') ? undefined : rest.shift())
        if (next === undefined) return wrong(`--${name} needs a value after it.`)
        options[name] = next
      }
    }
  }
  const flaw = flawOfArguments(takes, args)
  if (flaw !== undefined) return wrong(flaw)
  return { isRight: true, args, options }
}

/** What is wrong with the number of arguments, or undefined. */
export function flawOfArguments(takes: readonly string[], args: readonly string[]): string | undefined {
  const missing = takes.find((name, index) => index >= args.length && !name.endsWith('?'))
  if (missing !== undefined) return `${missing} is missing.`
  const surplus = args[takes.length]
  if (surplus === undefined) return undefined
  return `"${surplus}" is one word too many${takes.length > 0 ? '; put quotes around a text with spaces' : ''}.`
}

function suggested(name: string, known: string[]): string {
  return didYouMean(
    `--${name}`,
    known.map(each => `--${each}`),
  )
}
