/** Reports the memory of this process: every request collects garbage first. Needs --expose-gc. */
import { createServer, type Server } from 'node:http'

/** Memory after a garbage collection, in bytes. */
export interface MemoryReading {
  /** Heap and external memory. */
  readonly bytes: number
  /** Resident set of the process. */
  readonly residentBytes: number
}

/** Starts to report on a port of the loopback address. */
export const reportMemory = (port: number): Server =>
  createServer((_request, response) => {
    globalThis.gc?.()
    const { heapUsed, external, rss } = process.memoryUsage()
    response.end(JSON.stringify({ bytes: heapUsed + external, residentBytes: rss } satisfies MemoryReading))
  }).listen(port, '127.0.0.1')
