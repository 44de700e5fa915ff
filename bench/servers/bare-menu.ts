import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerStarter } from '../child.ts'

// The least that node can do: the same bytes and headers for every request.
const { file } = JSON.parse(process.argv[2] ?? '') as { file: string }
const { headers, body } = JSON.parse(readFileSync(file, 'utf8')) as { headers: string[]; body: string }
const bytes = Buffer.from(body)
const server = createServer((_request, response) => {
  response.writeHead(200, headers)
  response.end(bytes)
})
server.listen(0, '127.0.0.1', () => answerStarter((server.address() as AddressInfo).port))
