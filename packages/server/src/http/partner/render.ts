import type { LocationEntry } from '../../domain/location.ts'
import { mapList } from '../../kit/map-list.ts'
import type { PresentContext } from '../../versions/primitives/format.ts'
import type { Json, Version } from '../../versions/version.ts'
import { computeEtag, etagLength, RenderedBody } from '../wire/rendered.ts'
import { allocateBody } from '../wire/slabs.ts'

const open = Buffer.from('{"data":')
const close = Buffer.from('}')

/** Renders a JSON object. */
export function render(body: Json): RenderedBody {
  const text = JSON.stringify(body)
  // Allocate a separate buffer: a slice of Node's shared pool would keep eight times the memory alive in the cache.
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text))
  bytes.write(text)
  return new RenderedBody(bytes)
}

type Kind = 'location' | 'catalogLocation'

/** Settings of presenters; without `opening`, locations do not say whether they are open. */
type RenderSettings = Pick<PresentContext, 'publicUrl' | 'opening'>

/**
 * Renders locations as `{"data": …}`. The bytes of a single location are cached with its entry, by version and kind.
 * Entries are immutable, so no invalidation is needed.
 */
export class LocationRenderer {
  readonly #settings: RenderSettings

  constructor(settings: RenderSettings) {
    this.#settings = settings
  }

  /** Presents one location as a part of a response. */
  present(entry: LocationEntry, version: Version, kind: Kind, locales: PresentContext['locales']): Json {
    const { publicUrl, opening } = this.#settings
    return version.present[kind](entry, { publicUrl, locales, opening })
  }

  /** Renders one location in its envelope. */
  renderOne(entry: LocationEntry, version: Version, kind: Kind, locales: PresentContext['locales']): RenderedBody {
    const renderEntry = () => render({ data: this.present(entry, version, kind, locales) })
    // Few requests have locales, and they vary: only the form without locales is worth caching.
    return locales.length > 0 || version.dependsOnTime
      ? renderEntry()
      : entry.derive(getVariants(version)[kind], renderEntry)
  }
}

/** Renders a list of results: each body of a location with the additional members of its result. */
export function renderResults(
  results: readonly { readonly body: RenderedBody; readonly fields: Json }[],
  rest: Json,
): RenderedBody {
  const parts = mapList(results, ({ body }) => body)
  const between = mapList(results, ({ fields }, i) => {
    const tail = JSON.stringify(fields).slice(1)
    const next = i + 1 < results.length ? ',{"location":' : ''
    return (tail === '}' ? tail : `,${tail}`) + next
  })
  const start = parts.length > 0 ? '{"data":[{"location":' : '{"data":['
  return renderList({ start, parts, between, end: formatEnd(rest) })
}

/** Renders several bodies in one envelope by copying their bytes; `rest` has the members that follow `data`. */
export const renderMany = (parts: readonly RenderedBody[], rest: Json): RenderedBody =>
  renderList({ start: '{"data":[', parts, between: undefined, end: formatEnd(rest) })

/** A list in its envelope: `start`, the `data` of each part, the texts behind them, and `end`. */
interface ComposedList {
  readonly start: string
  readonly parts: readonly RenderedBody[]
  /** Text behind each part; undefined if commas are between them. */
  readonly between: readonly string[] | undefined
  readonly end: string
}

/** The validators of the parts of a list, and its texts. */
let scratch = Buffer.alloc(16_384)

/** Renders a list. Its validator is the hash of those of its parts, instead of all their bytes, and of its texts. */
function renderList(list: ComposedList): RenderedBody {
  const { parts, between, end } = list
  const text = between === undefined ? end : between.join('') + end
  const from = parts.length * etagLength
  const most = from + 3 * text.length
  if (most > scratch.length) scratch = Buffer.alloc(2 * most)
  for (let i = 0; i < parts.length; i++) parts[i]!.writeEtag(scratch, i * etagLength)
  const to = from + scratch.write(text, from)
  const etag = computeEtag(scratch.subarray(0, to))
  return new RenderedBody(concatenate(list, from, to, to - from === text.length), { etag, isSentOnce: true })
}

/** Formats the end of a list and of its envelope, with the members that follow the list. */
function formatEnd(rest: Json): string {
  const text = JSON.stringify(rest).slice(1)
  return text === '}' ? ']}' : `],${text}`
}

/** Joins a list, whose texts are in `scratch` from `from` to `to`; `isAscii`: each has a byte for each character. */
function concatenate({ start, parts, between }: ComposedList, from: number, to: number, isAscii: boolean): Buffer {
  let length = start.length + to - from + (between === undefined ? Math.max(0, parts.length - 1) : 0)
  for (const { body } of parts) length += body.length - open.length - close.length
  const whole = allocateBody(length)
  let at = whole.write(start, 0, 'latin1')
  let next = from
  for (let i = 0; i < parts.length; i++) {
    const { body } = parts[i]!
    if (between === undefined && i > 0) whole[at++] = comma
    at += body.copy(whole, at, open.length, body.length - close.length)
    if (between === undefined) continue
    const after = next + (isAscii ? between[i]!.length : Buffer.byteLength(between[i]!))
    at = copyText(next, after, whole, at)
    next = after
  }
  copyText(next, to, whole, at)
  return whole
}

const comma = ','.charCodeAt(0)
/** Number of bytes up to which they are copied faster one by one than by the function of Buffer. */
const fewBytes = 64

/** Copies bytes of `scratch`; returns the end of the copy. */
function copyText(from: number, to: number, target: Buffer, at: number): number {
  if (to - from > fewBytes) return at + scratch.copy(target, at, from, to)
  for (let i = from; i < to; i++) target[at + i - from] = scratch[i]!
  return at + to - from
}

const variants = new Map<Version, Readonly<Record<Kind, string>>>()

/**
 * Returns the cache keys of the renderings of a version; computed once per version, because every entity needs them.
 */
function getVariants(version: Version): Readonly<Record<Kind, string>> {
  const known = variants.get(version)
  if (known) return known
  // The number distinguishes betas: each latest stable version has a separate one (SPEC §9.3).
  const name = `${version.name} ${variants.size}`
  const names = { location: `${name} location`, catalogLocation: `${name} catalogLocation` }
  variants.set(version, names)
  return names
}
