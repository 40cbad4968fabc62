import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { expect } from 'vitest'
import { accountRoutes } from '../../src/http/account/routes.ts'
import { routes } from '../../src/http/partner/routes.ts'
import type { Reply } from '../http-client.ts'
import { closeObjects } from './close.ts'

interface Operation {
  readonly responses: Readonly<Record<string, { readonly $ref?: string; readonly headers?: object }>>
}

interface Document {
  readonly paths: Readonly<Record<string, { readonly get: Operation; readonly post?: Operation }>>
  readonly components: { readonly responses: Readonly<Record<string, { readonly headers?: object }>> }
}

/** Parses a file in contract/. */
const readContract = (path: string) =>
  JSON.parse(readFileSync(new URL(`../../../../contract/${path}`, import.meta.url), 'utf8'))

/** The committed document of version 0, which describes the records of its feeds. */
export const recordsDocument = readContract('partner/v0.openapi.json')

const versions = ['v1', 'v2', 'beta'] as const
const names = [...versions, 'feeds'] as const
type Name = (typeof names)[number]

const read = (name: Name): Document => readContract(`${name === 'feeds' ? 'feeds' : 'partner'}/${name}.openapi.json`)

/** The committed OpenAPI documents, by version. */
export const documents = Object.fromEntries(versions.map(name => [name, read(name)])) as Readonly<
  Record<(typeof versions)[number], Document>
>

/** The documents of all versions and that of the feeds. */
export const allDocuments = { ...documents, feeds: read('feeds') }

// Strict mode would reject the documents, because they contain more than schemas.
const ajv = new Ajv2020({ strict: false, allErrors: true })
addFormats.default(ajv)
for (const name of names) ajv.addSchema(closeObjects(allDocuments[name]), name)

const pointer = (...parts: string[]) =>
  parts.map(part => `/${encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('')

/** Returns the errors of a value against a schema within a document. */
export function faultsBy(name: Name, path: readonly string[], value: unknown): string[] {
  const validate = ajv.getSchema(`${name}#${pointer(...path)}`)
  if (!validate) return [`${name} has no ${path.join('/')}`]
  validate(value)
  return (validate.errors ?? []).map(error => `${error.instancePath} ${error.message} ${JSON.stringify(error.params)}`)
}

const patterns = [...routes, ...accountRoutes].map(({ path }) => ({
  template: path.replace(/:(\w+)/g, '{$1}'),
  pattern: new RegExp(`^${path.replace(/:\w+/g, '[^/]+').replace('*', '.*')}/?$`),
}))

/** Headers of HTTP itself, which need no documentation; all other headers must be documented. */
const needsNoDocument =
  /^(date|connection|keep-alive|content-type|content-length|x-content-type-options|allow|transfer-encoding|access-control-.*)$/

/**
 * Checks a response against the OpenAPI document of its version: status, headers and body of an endpoint, and the body
 * of every error. Unlisted members are errors.
 */
export function expectDocumented(reply: Reply, target: string, method = 'GET'): void {
  const selected = reply.headers['api-version'] as string | undefined
  if (selected === '0') return
  const path = target.split('?', 1)[0]!
  const name: Name = path.startsWith('/feeds')
    ? 'feeds'
    : selected === undefined || selected === '1'
      ? 'v1'
      : selected === 'beta'
        ? 'beta'
        : (`v${selected}` as Name)
  const template = patterns.find(({ pattern }) => pattern.test(path))?.template
  const way = method === 'POST' ? 'post' : 'get'
  const operation = template === undefined ? undefined : allDocuments[name].paths[template]?.[way]
  const isJson = /json/.test(reply.headers['content-type'] ?? '')
  const body = method !== 'HEAD' && isJson && reply.text !== '' ? (JSON.parse(reply.text) as unknown) : undefined
  if (body !== undefined && reply.status >= 400)
    expect(faultsBy(name, ['components', 'schemas', 'Problem'], body)).toEqual([])
  if (!operation || reply.status === 405) return
  const documented = operation.responses[reply.status]
  expect(documented, `${name} documents ${reply.status} for ${template}`).toBeDefined()
  if (body !== undefined && reply.status === 200) {
    const schema = ['paths', template!, way, 'responses', '200', 'content', 'application/json', 'schema']
    expect(faultsBy(name, schema, body)).toEqual([])
  }
  const { headers = {} } = documented!.$ref
    ? allDocuments[name].components.responses[documented!.$ref.split('/').at(-1)!]!
    : documented!
  const known = new Set(Object.keys(headers).map(header => header.toLowerCase()))
  expect(Object.keys(reply.headers).filter(header => !known.has(header) && !needsNoDocument.test(header))).toEqual([])
}
