import { spawnSync } from 'node:child_process'
import { rmSync, statfsSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { TestContext } from 'node:test'
import { folderToLeave } from './serving.ts'
import { fillUp, unmount, withMount } from './small-disk.ts'

/**
 * A disk with ext4 on it whose sectors can be made to fail, as a thin volume's do that has run out, or those of a card that is
 * worn out: what is written where nothing was written before is lost, and the next fsync says so.
 */
export interface FailingDisk {
  folder: string
  fail(): void
  mend(): void
  /** Whether the system has made it read-only, because it could not write the journal of the file system either. */
  isReadOnly(): boolean
  /** Unmounts it, repairs what a person would let be repaired, and mounts it again, so that only what is on the disk is left. */
  restart(): void
}

const MIB = 1024 * 1024
const SIZE = 32 * MIB

/**
 * Makes such a disk: a loop device over a file on a disk in memory that can be filled up. `journal: 'worn in'` has room for all
 * of its own journal, so that the file system stays writable when files' sectors fail.
 */
export function failingDisk(t: TestContext, journal: 'new' | 'worn in'): FailingDisk {
  const folder = folderToLeave(t, leave)
  const [memory, disk] = [join(folder, 'memory'), join(folder, 'disk')]
  const ballast = join(memory, 'ballast')
  let device = ''

  function leave(): void {
    unmount(disk)
    if (device !== '') spawnSync('losetup', ['--detach', device])
    unmount(memory)
  }

  run('mkdir', memory, disk)
  run('mount', '-t', 'tmpfs', '-o', `size=${SIZE + 8 * MIB}`, 'tmpfs', memory)
  const image = join(memory, 'image')
  run('truncate', '--size', String(SIZE), image)
  run('mkfs.ext4', '-q', '-b', '4096', '-J', 'size=4', '-E', 'nodiscard,lazy_itable_init=0', image)
  device = run('losetup', '--show', '--find', image).trim()
  // A loop device takes a request of which only a part could be written for done. One page is written or not.
  writeFileSync(`/sys/block/${basename(device)}/queue/max_sectors_kb`, '4')
  run('mount', device, disk)
  if (journal === 'worn in') wearIn(disk)

  return {
    folder: disk,
    fail() {
      // What is still to be written was written before; after earlier failures this tells of those once more.
      spawnSync('sync', ['--file-system', disk])
      fillUp(ballast, () => free(memory), 0)
    },
    mend: () => rmSync(ballast, { force: true }),
    isReadOnly: () =>
      new RegExp(`^${device} ${disk} ext4 \\S*\\b(emergency_)?ro\\b`, 'm').test(run('cat', '/proc/mounts')),
    restart() {
      run('umount', disk)
      // It exits with 1 when it has repaired something.
      spawnSync('e2fsck', ['-p', device])
      run('mount', device, disk)
    },
  }
}

/** Writes the journal of the file system once round, so that all of it has its place. */
function wearIn(disk: string): void {
  run('sh', '-c', `for i in $(seq 400); do touch ${disk}/wear; sync -f ${disk}; rm ${disk}/wear; sync -f ${disk}; done`)
}

function free(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

function run(command: string, ...args: string[]): string {
  const { error, status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' })
  if (error || status !== 0) throw new Error(`${command} ${args.join(' ')}: ${error?.message ?? stderr}`)
  return stdout
}

/** Options of a test that needs such a disk: it is skipped where none can be made. */
export const withFailingDisk: { skip?: string } = withMount.skip ? withMount : trial()

function trial(): { skip?: string } {
  for (const [command, arg] of [
    ['losetup', '--find'],
    ['mkfs.ext4', '-V'],
    ['e2fsck', '-V'],
  ] as const) {
    const { error, status } = spawnSync(command, [arg])
    if (error || status !== 0) return { skip: `no failing disk can be made here: ${command} does not do` }
  }
  return {}
}
