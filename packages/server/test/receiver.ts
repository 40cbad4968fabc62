import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** A webhook as it was received. */
export interface Received {
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly event: { id: string; type: string; timestamp: string; data: Record<string, unknown> }
}

export interface Receiver {
  readonly url: string
  readonly received: Received[]
  /** Answers the next requests; 204 by default. */
  answer: (response: ServerResponse, request: Received) => void
  close(): Promise<void>
}

/** Starts a receiver of webhooks on loopback. */
export async function startReceiver(): Promise<Receiver> {
  const server = createServer(async (request, response) => {
    const body = await text(request)
    const received = { headers: request.headers, body, event: JSON.parse(body) }
    receiver.received.push(received)
    receiver.answer(response, received)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received: [],
    answer: response => response.writeHead(204).end(),
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return receiver
}
