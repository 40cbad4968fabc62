/** The baseline of the HTTP benchmarks: node:http alone, with a static body of 1.5 KB. */
import { createServer } from 'node:http'

const body = Buffer.from(JSON.stringify({ data: 'x'.repeat(1489) }))
const server = createServer((_request, response) => {
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length })
  response.end(body)
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address && typeof address === 'object') process.stdout.write(`listening on http://127.0.0.1:${address.port}\n`)
})
process.once('SIGTERM', () => process.exit(0))
