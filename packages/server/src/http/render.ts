import { hash } from 'node:crypto'
import type { LocationEntry } from '../domain/location.ts'
import type { PresentContext } from '../versions/primitives/format.ts'
import type { Json, Version } from '../versions/version.ts'

/** A body that is ready to be sent, with its strong validator. */
export interface Rendered {
  readonly body: Buffer
  readonly etag: string
}

const open = Buffer.from('{"data":')
const close = Buffer.from('}')

const etagOf = (body: Buffer | string): string => `"${hash('sha1', body, 'base64url')}"`

/** Any answer: a JSON object, rendered now. */
export function render(body: Json): Rendered {
  const text = JSON.stringify(body)
  // Memory of its own: a slice of Node's shared pool would keep eight times as much alive in the cache.
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text))
  bytes.write(text)
  return { body: bytes, etag: etagOf(bytes) }
}

type Kind = 'location' | 'catalogLocation'

/**
 * Renders `{"data": …}` of single locations and keeps the bytes with the entry: entries are immutable, so there is
 * nothing to invalidate. What varies (version, kind) is the key beside each entry.
 */
export class LocationRenderer {
  readonly #settings: { readonly publicUrl: string }

  constructor(settings: { readonly publicUrl: string }) {
    this.#settings = settings
  }

  /** One location in its envelope. */
  one(entry: LocationEntry, version: Version, kind: Kind, locales: PresentContext['locales']): Rendered {
    const context = { publicUrl: this.#settings.publicUrl, locales }
    const make = () => render({ data: version.present[kind](entry, context) })
    // Few ask for locales and each asks for others: only the common form is worth the memory.
    return locales.length > 0 ? make() : entry.derive(`${version.name} ${kind}`, make)
  }

  /** A list of results: each location, and beside it what the result says of it. */
  results(
    results: readonly { readonly entry: LocationEntry; readonly facts: Json }[],
    version: Version,
    kind: Kind,
    locales: PresentContext['locales'],
    rest: Json,
  ): Rendered {
    const parts: Buffer[] = [openList]
    for (const { entry, facts } of results) {
      const { body } = this.one(entry, version, kind, locales)
      const tail = JSON.stringify(facts).slice(1)
      parts.push(parts.length > 1 ? nextResult : firstResult, body.subarray(open.length, -close.length))
      parts.push(Buffer.from(tail === '}' ? tail : `,${tail}`))
    }
    parts.push(Buffer.from(`],${JSON.stringify(rest).slice(1)}`))
    const body = Buffer.concat(parts)
    return { body, etag: etagOf(body) }
  }

  /** Several locations in one envelope; `rest` holds the members that follow `data`. The bytes of each are copied. */
  many(entries: readonly LocationEntry[], version: Version, locales: PresentContext['locales'], rest: Json): Rendered {
    const parts: Buffer[] = [openList]
    let tags = ''
    for (const entry of entries) {
      const { body, etag } = this.one(entry, version, 'location', locales)
      if (parts.length > 1) parts.push(comma)
      parts.push(body.subarray(open.length, -close.length))
      tags += etag
    }
    const tail = JSON.stringify(rest).slice(1)
    parts.push(Buffer.from(tail === '}' ? ']}' : `],${tail}`))
    // The parts' validators stand for their bytes.
    return { body: Buffer.concat(parts), etag: etagOf(tags + tail) }
  }
}

const openList = Buffer.from('{"data":[')
const comma = Buffer.from(',')
const firstResult = Buffer.from('{"location":')
const nextResult = Buffer.from(',{"location":')
