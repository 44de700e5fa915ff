import { spawnSync } from 'node:child_process'
import { closeSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { folderToLeave } from './serving.ts'

/** A disk of a few MiB that can be filled up. It is gone after the test. */
export interface SmallDisk {
  folder: string
  /** Bytes that are free. */
  free(): number
  /** Takes all space but so many bytes. */
  fill(left?: number): void
  /** Gives back what `fill` took. */
  makeRoom(): void
}

/** Makes a disk of so many MiB, which is one in memory. */
export function smallDisk(t: TestContext, mib: number): SmallDisk {
  const folder = folderToLeave(t, unmount)
  const { status, stderr } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${mib}m`, 'tmpfs', folder])
  if (status !== 0) throw new Error(`no disk was mounted: ${stderr}`)
  const ballast = join(folder, 'ballast')

  function free(): number {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  }

  return {
    folder,
    free,
    fill: (left = 0) => fillUp(ballast, free, left),
    makeRoom: () => rmSync(ballast, { force: true }),
  }
}

/** Writes to a file until so many bytes are left free, by page, because the last one counts. */
export function fillUp(ballast: string, free: () => number, left: number): void {
  const page = Buffer.alloc(4096)
  const handle = openSync(ballast, 'a')
  try {
    while (free() > left) writeSync(handle, page)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
  } finally {
    closeSync(handle)
  }
}

// Lazily, so that neither a server that still has files open nor the order of the tidying matters.
export function unmount(folder: string): void {
  spawnSync('umount', ['--lazy', folder])
}

/** Options of a test that needs to mount a disk: it is skipped where that is not allowed. */
export const withMount: { skip?: string } = process.getuid?.() === 0 ? trial() : { skip: 'only root may mount a disk' }

function trial(): { skip?: string } {
  const { status, stderr } = spawnSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt'], {
    encoding: 'utf8',
  })
  return status === 0 ? {} : { skip: `no disk can be mounted here: ${stderr?.trim() ?? 'unshare is missing'}` }
}
