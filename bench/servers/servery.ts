import { readConfiguration } from '../../configuration.ts'
import { serve } from '../../server.ts'
import { jsonLog } from '../../store/log.ts'
import { answerStarter } from '../child.ts'

// Servery as `npm start` runs it, but on a free port, with connections that last as long as the load, and with a parameter for
// the sharing of commits.
const { file, ordersPerCommit } = JSON.parse(process.argv[2] ?? '') as { file: string; ordersPerCommit?: number }
const { configuration } = readConfiguration({
  PORT: '0',
  DATABASE_FILE: file,
  REQUESTS_PER_SOCKET: '1000000000',
})
const log = jsonLog(lines => process.stderr.write(lines), Date.now)
const { url, writer } = await serve(configuration, { log, ...(ordersPerCommit && { ordersPerCommit }) })
// Orders that come before the writer thread has started wait for it.
await writer.chore('cutDeliveryLog')
answerStarter(Number(new URL(url).port))
