import { tokenPermissions } from '../../src/identity/permissions.ts'
import { periplus } from '../cli.ts'
import { type Reply, send } from '../http-client.ts'
import type { World } from '../world.ts'

/** Creates an admin token by the command; by default with every permission that a token can have. */
export async function createToken(
  world: World,
  permissions: readonly string[] = tokenPermissions,
  flags: readonly string[] = [],
): Promise<string> {
  const args = ['tokens', 'create', '--name', 'test', '--permission', ...permissions, ...flags]
  const made = await periplus([...args, '--json', '--data', world.config.data])
  if (made.code !== 0) throw new Error(made.stderr)
  return made.json<{ token: string }>().token
}

/** A body of a response, as any JSON object. */
export type Body = Record<string, unknown> & { readonly id: string; readonly revision: number }

/** A response of the admin API. */
export interface Answer extends Omit<Reply, 'json'> {
  readonly body: Body
}

/** Sends requests of the admin API. */
export interface AdminClient {
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Answer>
  send(method: string, path: string, body?: object, headers?: Readonly<Record<string, string>>): Promise<Answer>
}

/**
 * Creates a client that sends a token; undefined sends none. With several tokens, they take turns, because each has a
 * rate.
 */
export function adminClient(world: Pick<World, 'url'>, sent: string | undefined | readonly string[]): AdminClient {
  const tokens = [sent].flat()
  let turn = 0
  const call: AdminClient['send'] = async (method, path, body, headers = {}) => {
    const token = tokens[turn++ % tokens.length]
    const reply = await send(world.url, `/admin/v1${path}`, {
      method,
      headers: {
        ...(token !== undefined && { Authorization: `Bearer ${token}` }),
        ...(body && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    const isJson = /json/.test(reply.headers['content-type'] ?? '') && reply.text !== ''
    return { ...reply, body: (isJson ? JSON.parse(reply.text) : {}) as Body }
  }
  return { get: (path, headers) => call('GET', path, undefined, headers), send: call }
}
