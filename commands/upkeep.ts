import { examine } from '../store/doctor.ts'
import { UnusableFile } from '../store/file/failures.ts'
import { type Command, counted, done, findings, refused } from './command.ts'

export const backup: Command = {
  usage: 'backup FILE',
  summary: 'write a consistent, checked copy of the database, also while the server runs; never overwrites a file',
  takes: ['FILE'],
  async run({ args: [target = ''], store }) {
    const refusal = await store().backup(target)
    return refusal ? refused(refusal) : done(`Wrote and checked ${target}.`, { file: target })
  },
}

export const doctor: Command = {
  usage: 'doctor',
  summary: 'examine the file, its disk, the clock and the menu; exit code 1 if anything is wrong',
  run({ configuration, clock, store }) {
    try {
      const { problems, warnings } = examine(store(), configuration.siteRoot, clock.now())
      const conclusion = problems.length === 0 ? 'Servery is well.' : `${counted(problems.length, 'problem')}.`
      return findings(problems, warnings, conclusion)
    } catch (error) {
      if (!(error instanceof UnusableFile)) throw error
      return findings([{ pointer: '/file', message: error.message }], [], '1 problem.')
    }
  },
}
