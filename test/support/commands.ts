import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './folders.ts'

export interface Finished {
  code: number | null
  stdout: string
  stderr: string
}

/** Runs a maintenance command on a file, as a person would. */
export function servery(
  file: string,
  args: string[],
  more: { input?: string | Buffer; environment?: Record<string, string> } = {},
): Promise<Finished> {
  return runToEnd(['cli.ts', ...args], { DATABASE_FILE: file, ...more.environment }, more.input)
}

/** Runs a program of the project in its own process until it ends. */
export function runToEnd(
  args: string[],
  environment: Record<string, string> = {},
  input: string | Buffer = '',
): Promise<Finished> {
  return new Promise(resolve => {
    const child = spawn(process.execPath, ['--import', 'tsx', ...args], {
      cwd: root,
      env: { ...process.env, ...environment },
    })
    let stdout = ''
    let stderr = ''
    child.stdout.on('data', chunk => (stdout += chunk))
    child.stderr.on('data', chunk => (stderr += chunk))
    child.on('close', code => resolve({ code, stdout, stderr }))
    child.stdin.end(input)
  })
}

/** Writes a restaurant as a file into a folder. */
export function restaurantFileIn(folder: string, restaurant: unknown): string {
  const path = join(folder, 'restaurant.json')
  writeFileSync(path, typeof restaurant === 'string' ? restaurant : JSON.stringify(restaurant))
  return path
}
