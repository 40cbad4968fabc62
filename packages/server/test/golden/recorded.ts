import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { expect } from 'vitest'
import { toLongJson } from '../../src/kit/long-json.ts'
import type { Reply } from '../http-client.ts'

const bless = process.env.PERIPLUS_BLESS === '1'

/** Parts of a recorded request in addition to its target. */
export interface Recorded {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Name of one of the test's keys; `none` sends no key. */
  readonly key?: string
  readonly body?: string
}

/** Formats a response as text, without the parts that differ from run to run. */
export function recorded(reply: Reply, target: string, { method = 'GET' }: Recorded): string {
  const { date: _, connection: _c, 'keep-alive': _k, ...headers } = reply.headers
  const isJson = /json/.test(headers['content-type'] ?? '') && reply.text !== ''
  const shown = target.length > 300 ? `${target.slice(0, 40)}… (${target.length} characters)` : target
  const body = isJson ? reply.json() : reply.text
  const text = JSON.stringify(
    { request: `${method} ${shown}`, status: reply.status, headers, body },
    (_name, value) => (typeof value === 'bigint' ? toLongJson(value) : value),
    2,
  )
  const stable = text
    .replaceAll(reply.headers['x-request-id'] as string, 'REQUEST-ID')
    .replace(/cursor=[\w-]{35}/, 'cursor=CURSOR')
  return `${stable.replace(/x{300,}/g, match => `x…(${match.length})`)}\n`
}

/** Compares a recorded response with its file; `npm run bless` writes the file. */
export function expectGolden(folder: string, name: string, text: string): void {
  const file = `${folder}${name}.json`
  if (bless) {
    mkdirSync(folder, { recursive: true })
    writeFileSync(file, text)
  }
  expect(existsSync(file), `${name}.json is missing: run 'npm run bless' to write it`).toBe(true)
  expect(text).toBe(readFileSync(file, 'utf8'))
}
