import { closeSync, fdatasyncSync, openSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import type { FlushOf } from './flush.ts'

const PAUSE_MS = 20

const { file } = workerData as FlushOf
const handle = openSync(file, 'r')
let isStopped = false
parentPort?.once('message', () => {
  isStopped = true
})
parentPort?.postMessage('ready')
while (!isStopped) {
  fdatasyncSync(handle)
  await pause(PAUSE_MS)
}
closeSync(handle)
