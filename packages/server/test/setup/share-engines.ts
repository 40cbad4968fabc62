import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { findEngine } from './find-engines.ts'
import { type RunningEngine, runPostgres } from './run-engine.ts'

const socketVariable = 'PERIPLUS_TEST_ENGINES'
const skippedVariable = 'PERIPLUS_TEST_SKIPPED'

/**
 * Lets the processes of a test run share one PostgreSQL, which the first request starts and the end of this process
 * ends. Prints at the end which suites were skipped because their server is missing.
 */
export function shareEngines(folder: string): void {
  const path = join(folder, 'engines.sock')
  process.env[socketVariable] = path
  process.env[skippedVariable] = join(folder, 'skipped')
  let postgres: Promise<RunningEngine> | undefined
  const server = createServer({ allowHalfOpen: true }, socket => {
    postgres ??= startPostgres()
    postgres.then(
      ({ url }) => socket.end(JSON.stringify({ url })),
      error => socket.end(JSON.stringify({ error: String(error) })),
    )
    socket.on('error', () => {})
  })
  server.listen(path).unref()
  process.on('exit', printSkipped)
}

function printSkipped(): void {
  const path = process.env[skippedVariable]!
  if (!existsSync(path)) return
  const counts = Map.groupBy(readFileSync(path, 'utf8').trimEnd().split('\n'), reason => reason)
  for (const [reason, all] of counts) console.error(`${reason} ${all.length} suites were skipped.`)
}

/** Records that a suite was skipped. */
export function recordSkipped(reason: string): void {
  const path = process.env[skippedVariable]
  if (path !== undefined) appendFileSync(path, `${reason}\n`)
}

let own: Promise<RunningEngine> | undefined

/** Returns the URL of the PostgreSQL of this test run; outside of Vitest, this process starts one. */
export async function findSharedPostgres(): Promise<string> {
  const path = process.env[socketVariable]
  if (path === undefined) {
    own ??= startPostgres()
    return (await own).url
  }
  const socket = connect(path)
  socket.end()
  const { url, error } = JSON.parse(await text(socket)) as { url?: string; error?: string }
  if (url === undefined) throw new Error(error)
  return url
}

async function startPostgres(): Promise<RunningEngine> {
  const found = findEngine('pg')
  if (found === undefined) throw new Error('PostgreSQL is not installed.')
  if ('program' in found) return runPostgres(found.program)
  const { url } = found
  const refuse = async () => {
    throw new Error('The tests did not start this server, so they do not end it.')
  }
  return { url, port: Number(new URL(url).port || 5432), pid: 0, restart: refuse, stop: refuse }
}
