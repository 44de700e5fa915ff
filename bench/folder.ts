import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../test/support/folders.ts'

/** Makes a folder for the files of this process on the disk of the project. It is removed when the process ends. */
export function folderOnDisk(name: string): string {
  // Not in the system's temporary folder, which may be memory: an order must really go to disk.
  const data = join(root, 'data')
  mkdirSync(data, { recursive: true })
  const folder = mkdtempSync(join(data, `${name}-`))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))
  return folder
}
