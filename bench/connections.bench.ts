/**
 * Measures the memory of idle keep-alive connections: resident and heap memory of the serving process after a garbage
 * collection, with and without connections that have each sent a request. The same for a bare node:http server.
 *   npm run bench -- connections [--connections 5000] [--rounds 3] [--warm-up 5]
 * The limit of open files (ulimit -n) must exceed the number of connections.
 */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { flag, median } from './load/figures.ts'
import { folderWith, samplePlaces, unlimitedKey } from './load/folder.ts'
import { clientCodings, generateLoad } from './load/generate.ts'
import { startServer } from './load/processes.ts'
import type { MemoryReading } from './peers/memory-reporter.ts'

const connections = Number(flag('connections', '5000'))
const rounds = Number(flag('rounds', '3'))
/** Seconds of load before the first reading. */
const warmUpSeconds = Number(flag('warm-up', '5'))
/** Connections that are opened at the same time. */
const lanes = 50

const { folder } = folderWith(samplePlaces)
const key = unlimitedKey(folder)
const request = `GET /locations/1?version=1 HTTP/1.1\r\nHost: a\r\nX-API-Key: ${key}\r\n\r\n`
const peer = (name: string) => new URL(`peers/${name}.ts`, import.meta.url).pathname

/** Opens a connection, sends a request and waits for the beginning of the response. */
async function openIdle({ hostname, port }: URL): Promise<Socket> {
  const socket = connect(Number(port), hostname)
  socket.write(request)
  await once(socket, 'data')
  return socket
}

async function openAll(url: URL): Promise<Socket[]> {
  const opened: Socket[] = []
  const lane = async () => {
    while (opened.length + lanes <= connections) opened.push(await openIdle(url))
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  while (opened.length < connections) opened.push(await openIdle(url))
  return opened
}

async function readMemory({ port }: URL): Promise<MemoryReading> {
  const read = async () => (await fetch(`http://127.0.0.1:${Number(port) + 1}/`)).json() as Promise<MemoryReading>
  // A collection leaves what it finds to be finalised; the next one frees it.
  await read()
  await wait(500)
  return read()
}

/** Maximum difference of two readings of a process that has settled, in bytes. */
const settledBytes = 1 << 20
const maxReadings = 20

/**
 * Reads the memory when it no longer changes. A process that has just started still loads the index and ends threads,
 * which would count as tens of KB for each connection.
 */
async function readSettledMemory(url: URL): Promise<MemoryReading> {
  let reading = await readMemory(url)
  for (let i = 0; i < maxReadings; i++) {
    const previous = reading
    await wait(1000)
    reading = await readMemory(url)
    if (Math.abs(reading.residentBytes - previous.residentBytes) < settledBytes) break
  }
  return reading
}

/** Measures the memory of one connection, in KB, in a process that has served requests of a few connections before. */
async function measure(command: string[]) {
  const server = await startServer(command, { quietLog: true })
  const url = new URL(server.url)
  const headers = { 'X-API-Key': key, ...clientCodings }
  if (warmUpSeconds > 0)
    await generateLoad({
      url: server.url,
      paths: ['/locations/1?version=1'],
      headers,
      seconds: warmUpSeconds,
      connections: 16,
    })
  const before = await readSettledMemory(url)
  const sockets = await openAll(url)
  const during = await readMemory(url)
  for (const socket of sockets) socket.destroy()
  await server.stop()
  const each = (read: (reading: MemoryReading) => number) => (read(during) - read(before)) / connections / 1024
  return { residentKb: each(reading => reading.residentBytes), heapKb: each(reading => reading.bytes) }
}

const rows = []
for (const [name, ...args] of [
  ['periplus', 'measured-serve', folder],
  ['bare node:http', 'bare-http'],
]) {
  const [script, ...rest] = args as [string, ...string[]]
  const command = [process.execPath, '--expose-gc', peer(script), ...rest]
  const readings = []
  for (let round = 0; round < rounds; round++) readings.push(await measure(command))
  rows.push({
    server: name,
    'resident KB': Number(median(readings.map(({ residentKb }) => residentKb)).toFixed(1)),
    'heap KB': Number(median(readings.map(({ heapKb }) => heapKb)).toFixed(1)),
  })
}
console.log(`Memory of each of ${connections} idle connections:`)
console.table(rows)
