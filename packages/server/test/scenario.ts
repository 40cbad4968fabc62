import { describe, expect, test } from 'vitest'
import { expectDocumented } from './contract/answers.ts'
import type { Reply, Sent } from './http-client.ts'
import type { World } from './world.ts'

/** A request and its expected response. The name cites SPEC § or the ruling. */
export interface Row extends Pick<Sent, 'method' | 'headers'> {
  readonly name: string
  readonly get: string | ((world: World) => string)
  /** API key of the request. `null` sends none; the default may call everything. */
  readonly key?: string | null
  /** Body of the request. */
  readonly sends?: string
  readonly status: number
  /** Expected headers; `null`: the header must be absent. */
  readonly has?: Readonly<Record<string, string | RegExp | null>>
  /** Members that the body must have; others are allowed. */
  readonly body?: object
  /** Exact value of `data`. */
  readonly data?: unknown
  /** Substring or pattern that the body's text must contain. */
  readonly text?: string | RegExp
  /** Parameters that the problem must name as invalid, in order. */
  readonly fields?: readonly string[]
}

/** Declares one test per row, run against a world. */
export function scenarios(title: string, world: () => World, rows: readonly Row[]): void {
  describe(title, () => {
    test.each(rows)('$name', async row => {
      const { get, method, headers, key, sends } = row
      const target = typeof get === 'string' ? get : get(world())
      const reply = await world().get(target, {
        ...(method !== undefined && { method }),
        ...(headers && { headers }),
        ...(key !== undefined && { key }),
        ...(sends !== undefined && { body: sends }),
      })
      check(reply, row)
      expectDocumented(reply, target, method)
    })
  })
}

function check(reply: Reply, row: Row): void {
  expect({ status: reply.status, text: reply.text }).toMatchObject({ status: row.status })
  expectValidReply(reply, row.method)
  for (const [name, value] of Object.entries(row.has ?? {})) {
    if (value === null) expect(reply.headers).not.toHaveProperty(name)
    else if (typeof value === 'string') expect(reply.headers[name]).toBe(value)
    else expect(reply.headers[name]).toMatch(value)
  }
  if (row.body) expect(reply.json()).toMatchObject(row.body)
  if (row.data !== undefined) expect((reply.json() as { data: unknown }).data).toEqual(row.data)
  if (typeof row.text === 'string') expect(reply.text).toContain(row.text)
  else if (row.text) expect(reply.text).toMatch(row.text)
  if (row.fields) {
    const { field_errors: errors } = reply.json() as { field_errors: { field: string; message: string }[] }
    expect(errors.map(error => error.field)).toEqual(row.fields)
    for (const error of errors) expect(error.message).toContain(error.field)
  }
}

const uuid7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** Checks the rules that apply to every response, SPEC §4, §7. */
export function expectValidReply(reply: Reply, method = 'GET'): void {
  expect(reply.headers['x-request-id']).toMatch(uuid7)
  expect(reply.headers['x-content-type-options']).toBe('nosniff')
  if (reply.status >= 400 && method !== 'HEAD') {
    expect(reply.headers['content-type']).toBe('application/problem+json')
    const problem = reply.json() as Record<string, unknown>
    expect(problem).toMatchObject({
      type: expect.stringMatching(/^https?:\/\//),
      title: expect.any(String),
      status: reply.status,
      detail: expect.any(String),
      message: expect.any(String),
      request_id: reply.headers['x-request-id'],
    })
  }
  if (reply.status === 401) expect(reply.headers['www-authenticate']).toMatch(/^Bearer /)
  if (/json/.test(reply.headers['content-type'] ?? '') && reply.text !== '') {
    const empty = emptyMembers(reply.json())
    expect(empty.filter(path => path !== 'data')).toEqual([])
  }
}

/** Returns the paths of members that are null, "", [] or {}. */
export function emptyMembers(value: unknown, path = ''): string[] {
  if (value === null || value === '') return [path]
  if (typeof value !== 'object') return []
  const entries = Object.entries(value)
  if (entries.length === 0) return [path]
  return entries.flatMap(([name, child]) => emptyMembers(child, path === '' ? name : `${path}.${name}`))
}
