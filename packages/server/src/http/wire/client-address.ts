import type { IncomingMessage } from 'node:http'

/**
 * Returns the address of the client: that of the connection, or the last address in X-Forwarded-For that is no trusted
 * proxy's, as Fastify does.
 */
export function findClientAddress(request: IncomingMessage, isProxy: (address: string) => boolean): string {
  const direct = request.socket.remoteAddress ?? ''
  const header = request.headers['x-forwarded-for']
  if (header === undefined || !isProxy(direct)) return direct
  const forwarded = String(header)
    .split(',')
    .map(part => part.trim())
    .filter(part => part !== '')
  let client = direct
  while (isProxy(client) && forwarded.length > 0) client = forwarded.pop()!
  return client
}
