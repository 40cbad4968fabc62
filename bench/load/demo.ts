import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { periplus, unlimitedKey } from './folder.ts'
import { type Server, startServer } from './processes.ts'

/** A demo with its sample, which anybody can sign in to. */
export interface Demo {
  readonly server: Server
  /** Secret of a key whose limits no benchmark reaches. */
  readonly key: string
  /** Signs in by a link of the demo, and returns the cookie. */
  signIn(person: 'operator' | 'partner'): Promise<string>
}

/** Starts a demo in a new folder, which is deleted at the end. */
export async function startDemo(): Promise<Demo> {
  const folder = mkdtempSync(join(tmpdir(), 'periplus-bench-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const key = unlimitedKey(folder)
  const server = await startServer([...periplus, 'demo', '--data', folder, '--port', '0'], { quietLog: true })
  const pathOf = (person: string) => {
    const line = server.printed.find(text => text.trim().startsWith(person)) ?? ''
    return new URL(/http\S+/.exec(line)![0]).pathname
  }
  return {
    server,
    key,
    signIn: async person => {
      const reply = await fetch(server.url + pathOf(person), { method: 'POST', redirect: 'manual' })
      return reply.headers
        .getSetCookie()
        .map(cookie => cookie.split(';')[0])
        .join('; ')
    },
  }
}
