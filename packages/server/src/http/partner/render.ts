import type { LocationEntry } from '../../domain/location.ts'
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

  /** Renders one location in its envelope. */
  renderOne(entry: LocationEntry, version: Version, kind: Kind, locales: PresentContext['locales']): RenderedBody {
    const renderEntry = () => {
      const { publicUrl, opening } = this.#settings
      const context = { publicUrl, locales, opening }
      return render({ data: version.present[kind](entry, context) })
    }
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
  const parts = results.map(({ body }) => body)
  const between = results.map(({ fields }, i) => {
    const tail = JSON.stringify(fields).slice(1)
    const next = i + 1 < results.length ? ',{"location":' : ''
    return (tail === '}' ? tail : `,${tail}`) + next
  })
  const start = parts.length > 0 ? '{"data":[{"location":' : '{"data":['
  const end = formatEnd(rest)
  return renderList({ start, parts, between, end }, between.join('') + end)
}

/** Renders several bodies in one envelope by copying their bytes; `rest` has the members that follow `data`. */
export function renderMany(parts: readonly RenderedBody[], rest: Json): RenderedBody {
  const between = parts.map((_, i) => (i + 1 < parts.length ? ',' : ''))
  const end = formatEnd(rest)
  return renderList({ start: '{"data":[', parts, between, end }, end)
}

/** A list in its envelope: `start`, the `data` of each part followed by its item of `between`, and `end`. */
interface ComposedList {
  readonly start: string
  readonly parts: readonly RenderedBody[]
  readonly between: readonly string[]
  readonly end: string
}

/** Renders a list; `text` is what distinguishes it from other lists of the same parts. */
const renderList = (list: ComposedList, text: string): RenderedBody =>
  new RenderedBody(concatenate(list), { etag: computeListEtag(list.parts, text), isSentOnce: true })

let etags = Buffer.alloc(4096)

/** Computes the validator of a list: hashes the validators of its parts, instead of all their bytes, and its text. */
function computeListEtag(parts: readonly RenderedBody[], text: string): string {
  const most = parts.length * etagLength + 3 * text.length
  if (most > etags.length) etags = Buffer.alloc(2 * most)
  for (const [i, part] of parts.entries()) part.writeEtag(etags, i * etagLength)
  const bytes = parts.length * etagLength
  return computeEtag(etags.subarray(0, bytes + etags.write(text, bytes)))
}

/** Formats the end of a list and of its envelope, with the members that follow the list. */
function formatEnd(rest: Json): string {
  const text = JSON.stringify(rest).slice(1)
  return text === '}' ? ']}' : `],${text}`
}

function concatenate({ start, parts, between, end }: ComposedList): Buffer {
  let length = start.length + Buffer.byteLength(end)
  for (const [i, { body }] of parts.entries()) {
    length += body.length - open.length - close.length + Buffer.byteLength(between[i]!)
  }
  const whole = allocateBody(length)
  let at = whole.write(start, 0)
  for (const [i, { body }] of parts.entries()) {
    at += body.copy(whole, at, open.length, body.length - close.length)
    const text = between[i]!
    // Usually a comma: assigning its code is faster than a call of `write`.
    if (text.length === 1) whole[at++] = text.charCodeAt(0)
    else if (text.length > 1) at += whole.write(text, at)
  }
  whole.write(end, at)
  return whole
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
