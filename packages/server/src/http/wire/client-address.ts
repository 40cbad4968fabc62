import type { IncomingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Returns the address of the client: that of the connection, or the last address in X-Forwarded-For that is not a
 * trusted proxy's, as Fastify does.
 */
export function findClientAddress(
  { headers, socket }: { readonly headers: IncomingHttpHeaders; readonly socket: Pick<Socket, 'remoteAddress'> },
  isProxy: (address: string) => boolean,
): string {
  const direct = socket.remoteAddress ?? ''
  const header = headers['x-forwarded-for']
  if (header === undefined || !isProxy(direct)) return direct
  const forwarded = String(header)
    .split(',')
    .map(part => part.trim())
    .filter(part => part !== '')
  let client = direct
  while (isProxy(client) && forwarded.length > 0) client = forwarded.pop()!
  return client
}
