// Loaded into the server before it starts, so that its garbage can be collected before its memory is measured.

import { Session } from 'node:inspector/promises'

process.on('SIGUSR2', async () => {
  const session = new Session()
  session.connect()
  await session.post('HeapProfiler.collectGarbage')
  session.disconnect()
})
