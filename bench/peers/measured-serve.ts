/**
 * Serves a data folder and reports its memory at the next higher port (memory-reporter.ts). Argument: the data folder.
 * Needs --expose-gc.
 */
import { composeServer } from '../../packages/server/src/compose/server.ts'
import { loadConfig } from '../../packages/server/src/config/load.ts'
import { reportMemory } from './memory-reporter.ts'

const port = 10_000 + (process.pid % 5_000) * 2
const { config } = loadConfig({ defaultFile: '', env: {}, flags: { data: process.argv[2], 'server.port': port } })
const running = await composeServer(config, { demo: false })
const reporter = reportMemory(port + 1)
process.stdout.write(`listening on ${await running.listen()}\n`)
process.once('SIGTERM', async () => {
  reporter.close()
  await running.drain()
})
