import { constants } from 'node:fs'
import { type FileHandle, open, realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'

/** An open file, and what identifies this version of it. */
export interface OpenFile {
  handle: FileHandle
  size: number
  /** A strong ETag. */
  etag: string
}

/** The real path of a file inside a folder; undefined when it has none, or a symbolic link leads out of the folder. */
export function realPathInside(folder: string, name: string): Promise<string | undefined> {
  return presentOnly(async () => {
    const [root, path] = await Promise.all([realpath(folder), realpath(join(folder, name))])
    return path.startsWith(root.endsWith(sep) ? root : root + sep) ? path : undefined
  })
}

/** Opens a non-empty file by its real path; undefined when there is none. The caller closes it. */
export function openFile(path: string): Promise<OpenFile | undefined> {
  return presentOnly(async () => {
    // Neither follows a link nor waits for a pipe that has replaced the file.
    const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    const found = await handle.stat({ bigint: true })
    if (found.isFile() && found.size > 0n) {
      const etag = `"${[found.mtimeNs, found.size, found.ino].map(part => part.toString(36)).join('-')}"`
      return { handle, size: Number(found.size), etag }
    }
    await handle.close()
    return undefined
  })
}

/** Errors which mean that there is no readable file at a path. */
const absent = new Set(['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'ELOOP', 'ENAMETOOLONG', 'ENXIO'])

async function presentOnly<T>(look: () => Promise<T>): Promise<T | undefined> {
  try {
    return await look()
  } catch (error) {
    if (error instanceof Error && 'code' in error && absent.has(String(error.code))) return undefined
    throw error
  }
}
