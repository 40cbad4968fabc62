/** HTTP server for published editions, with faults that tests inject. */
import { createPublicKey } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type Publisher, sha256 } from './pull-publisher.ts'

export const testKey = 'peri_test_key'

/** Answers a request instead of the server; returns false to let the server answer. */
export type Intercept = (request: IncomingMessage, reply: ServerResponse, path: string) => boolean | Promise<boolean>

export class PullServer {
  editions: Publisher[]
  intercept: Intercept = () => false
  /** Method, path and range of every request. */
  readonly calls: { readonly path: string; readonly range: string | undefined; readonly key: unknown }[] = []
  url = ''
  readonly #server = createServer((request, reply) => void this.#answer(request, reply))

  constructor(...editions: Publisher[]) {
    this.editions = editions
  }

  async listen(base = ''): Promise<this> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}${base}`
    return this
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }

  paths(what: RegExp): string[] {
    return this.calls.map(({ path }) => path).filter(path => what.test(path))
  }

  async #answer(request: IncomingMessage, reply: ServerResponse): Promise<void> {
    const url = new URL(request.url!, 'http://x')
    const path = url.pathname.replace(/^\/base/, '') + url.search
    this.calls.push({ path, range: request.headers.range, key: request.headers['x-api-key'] })
    if (await this.intercept(request, reply, path)) return
    if (path === '/feeds/public-key.pem') {
      reply.end(createPublicKey(this.editions[0]!.key).export({ type: 'spki', format: 'pem' }))
      return
    }
    if (request.headers['x-api-key'] !== testKey) {
      problem(reply, 401, 'This API key is not known.')
      return
    }
    if (path === '/feeds') {
      json(reply, this.editions.map(entryOf))
      return
    }
    const [, feed, what, id, , name] = url.pathname
      .replace(/^\/base\/feeds/, '')
      .replace(/^\/feeds/, '')
      .split('/')
    const edition = this.editions.find(one => one.feed === feed)
    if (!edition) {
      problem(reply, 404, 'There is no such feed.')
      return
    }
    if (what === 'latest')
      return sendManifest(
        reply,
        edition,
        edition.snapshots.findLast(({ kind }) => kind === url.searchParams.get('kind'))?.snapshot_id,
      )
    if (what === 'deltas') {
      const after = Number(url.searchParams.get('after'))
      return json(
        reply,
        edition.snapshots.filter(({ kind, sequence }) => kind === 'delta' && sequence > after),
      )
    }
    if (name === undefined) return sendManifest(reply, edition, id)
    sendFile(request, reply, join(edition.folder, id!, name))
  }
}

const entryOf = ({ feed, version, snapshots }: Publisher) => ({
  feed,
  version,
  latest_full: snapshots.findLast(({ kind }) => kind === 'full')?.snapshot_id,
  latest_sequence: snapshots.at(-1)?.sequence,
})

export function json(reply: ServerResponse, data: unknown): void {
  reply.setHeader('Content-Type', 'application/json').end(JSON.stringify({ data }))
}

export function problem(
  reply: ServerResponse,
  status: number,
  message: string,
  headers: Record<string, string> = {},
): void {
  reply.writeHead(status, { 'Content-Type': 'application/problem+json', ...headers })
  reply.end(JSON.stringify({ title: 'No', status, message }))
}

function sendManifest(reply: ServerResponse, edition: Publisher, id: string | undefined): void {
  const file = join(edition.folder, id ?? 'none', 'manifest.json')
  if (!existsSync(file)) {
    problem(reply, 404, 'There is no such snapshot.')
    return
  }
  reply.end(readFileSync(file))
}

/** Sends a file; supports one range without an end, and If-Range (RFC 9110). */
export function sendFile(request: IncomingMessage, reply: ServerResponse, file: string, stopAfter = Infinity): void {
  if (!existsSync(file)) {
    problem(reply, 404, 'There is no such file.')
    return
  }
  const { size } = statSync(file)
  const etag = `"${sha256(readFileSync(file))}"`
  const { range, 'if-range': ifRange } = request.headers
  const start = range && (ifRange === undefined || ifRange === etag) ? Number(/^bytes=(\d+)-$/.exec(range)![1]) : 0
  if (start >= size && size > 0) {
    problem(reply, 416, 'There is no such range.')
    return
  }
  const headers = { ETag: etag, 'Content-Length': size - start, 'Accept-Ranges': 'bytes' }
  if (start > 0) reply.writeHead(206, { ...headers, 'Content-Range': `bytes ${start}-${size - 1}/${size}` })
  else reply.writeHead(200, headers)
  if (stopAfter >= size - start) createReadStream(file, { start }).pipe(reply)
  else cutAfter(reply, readFileSync(file).subarray(start, start + stopAfter))
}

/** Sends some bytes and then resets the connection. */
export function cutAfter(reply: ServerResponse, piece: Buffer): void {
  if (piece.length === 0) reply.flushHeaders()
  else reply.write(piece)
  reply.socket!.destroySoon()
}
