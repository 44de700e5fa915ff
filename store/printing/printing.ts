import type { Db } from '../file/open.ts'
import type { Noting } from '../people/activity.ts'
import type { Clock } from '../terms/clock.ts'
import { type JobContext, printJobs } from './jobs.ts'
import { printers } from './printers.ts'

/** The printers of the restaurant and their jobs (decision 058). */
export function printing(db: Db, clock: Clock, context: Omit<JobContext, 'printers'> & Noting) {
  const all = printers(db, clock, context, () => jobs.beginWatching())
  const jobs = printJobs(db, clock, { ...context, printers: all })
  return { printers: all, ...jobs }
}

export type Printing = ReturnType<typeof printing>
