// Loaded into the server before it starts, so that what it still holds can be told from what nobody has swept up yet.

import { Session } from 'node:inspector/promises'

process.on('SIGUSR2', async () => {
  const session = new Session()
  session.connect()
  await session.post('HeapProfiler.collectGarbage')
  session.disconnect()
})
