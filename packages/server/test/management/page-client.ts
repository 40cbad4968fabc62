import { periplus } from '../cli.ts'
import { type Reply, send } from '../http-client.ts'
import type { World } from '../world.ts'

/** Fields of a form; a list sends its field several times. */
export type Fields = Readonly<Record<string, string | readonly string[]>>

/** A file of a form. */
export interface UploadedFile {
  readonly name: string
  readonly text: string
}

/** Password of all people whom a client invites. */
const password = 'correct horse battery'

const toPairs = (fields: Fields): string[][] =>
  Object.entries(fields).flatMap(([name, value]) => [value].flat().map(one => [name, one]))

/** Returns the path of a link. */
const pathOf = (link: string | undefined): string => new URL(link!).pathname

/** Returns the first cookie that a response sets, for a request. */
const cookieOf = (reply: Reply): string => reply.headers['set-cookie']![0]!.split(';')[0]!

/** Creates what browsers and commands do with the pages of a world. */
export function pageClient(world: Pick<World, 'url' | 'config'>) {
  const run = async (...args: string[]) => {
    const result = await periplus([...args, '--json', '--data', world.config.data])
    if (result.code !== 0) throw new Error(result.stderr)
    return result.json<Record<string, string>>()
  }
  const get = (path: string, cookie?: string): Promise<Reply> =>
    send(world.url, path, { headers: { ...(cookie !== undefined && { cookie }) } })
  /** Sends a form. It follows, as browsers do, a redirect to a page that is shown once. */
  const post = async (path: string, fields: Fields, headers: Readonly<Record<string, string>> = {}): Promise<Reply> => {
    const reply = await send(world.url, path, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: new URLSearchParams(toPairs(fields)).toString(),
    })
    const { location } = reply.headers
    return location?.includes('once=') ? send(world.url, location, { headers }) : reply
  }
  /** Sends a form with a file, as browsers do. */
  const upload = (path: string, fields: Fields, file: UploadedFile | undefined, cookie: string): Promise<Reply> => {
    const boundary = 'form-boundary'
    const parts = toPairs(fields).map(([name, value]) => `name="${name}"\r\n\r\n${value}`)
    if (file) parts.push(`name="file"; filename="${file.name}"\r\nContent-Type: text/csv\r\n\r\n${file.text}`)
    const body = `${parts.map(part => `--${boundary}\r\nContent-Disposition: form-data; ${part}\r\n`).join('')}--${boundary}--\r\n`
    const headers = { cookie, 'content-type': `multipart/form-data; boundary=${boundary}` }
    return send(world.url, path, { method: 'POST', headers, body })
  }
  /** Sends JSON, as scripts of pages do. */
  const json = async (path: string, body: object, cookie: string) => {
    const headers = { 'content-type': 'application/json', cookie }
    const reply = await send(world.url, path, { method: 'POST', headers, body: JSON.stringify(body) })
    return { status: reply.status, headers: reply.headers, body: reply.json() }
  }
  /** Invites a person by the flags of `users invite`, and opens the link. */
  const open = async (email: string, ...flags: string[]): Promise<Reply> =>
    post(pathOf((await run('users', 'invite', email, ...flags)).link), { password })
  return { run, get, post, upload, json, open, pathOf, cookieOf, password }
}
