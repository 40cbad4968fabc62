/**
 * The baseline of the HTTP benchmarks: node:http alone, with a static body of 1.5 KB. With --expose-gc it reports its
 * memory at the next higher port.
 */
import { createServer } from 'node:http'
import { reportMemory } from './memory-reporter.ts'

const body = Buffer.from(JSON.stringify({ data: 'x'.repeat(1489) }))
const server = createServer({ keepAliveTimeout: 72_000 }, (_request, response) => {
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length })
  response.end(body)
})
server.listen(globalThis.gc ? 10_000 + (process.pid % 5_000) * 2 : 0, '127.0.0.1', () => {
  const address = server.address()
  if (!address || typeof address !== 'object') return
  if (globalThis.gc) reportMemory(address.port + 1)
  process.stdout.write(`listening on http://127.0.0.1:${address.port}\n`)
})
process.once('SIGTERM', () => process.exit(0))
