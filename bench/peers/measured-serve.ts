/**
 * Serves a data folder and reports its memory: every request to the next higher port collects garbage and returns the bytes of
 * heap and external memory. Argument: the data folder. Needs --expose-gc.
 */
import { createServer } from 'node:http'
import { composeServer } from '../../packages/server/src/compose/server.ts'
import { loadConfig } from '../../packages/server/src/config/load.ts'

const port = 20_000 + (process.pid % 10_000) * 2
const { config } = loadConfig({ defaultFile: '', env: {}, flags: { data: process.argv[2], 'server.port': port } })
const running = await composeServer(config, { demo: false })
const reporter = createServer((_request, response) => {
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  response.end(JSON.stringify({ bytes: heapUsed + external }))
}).listen(port + 1, '127.0.0.1')
process.stdout.write(`listening on ${await running.listen()}\n`)
process.once('SIGTERM', async () => {
  reporter.close()
  await running.drain()
})
