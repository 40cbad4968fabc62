import type { LocationEntry } from '../../domain/location.ts'
import type { PresentContext } from '../../versions/primitives/format.ts'
import type { Json, Version } from '../../versions/version.ts'
import { computeEtag, RenderedBody } from '../wire/rendered.ts'

const open = Buffer.from('{"data":')
const close = Buffer.from('}')

/** Renders a JSON object. */
export function render(body: Json): RenderedBody {
  const text = JSON.stringify(body)
  // Memory of its own: a slice of Node's shared pool would keep eight times as much alive in the cache.
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text))
  bytes.write(text)
  return new RenderedBody(bytes)
}

type Kind = 'location' | 'catalogLocation'

/**
 * Renders locations as `{"data": …}`. The bytes of a single location are kept with its entry, by version and kind; entries
 * are immutable, so that nothing needs invalidation.
 */
export class LocationRenderer {
  readonly #settings: { readonly publicUrl: string }

  constructor(settings: { readonly publicUrl: string }) {
    this.#settings = settings
  }

  /** Renders one location in its envelope. */
  one(entry: LocationEntry, version: Version, kind: Kind, locales: PresentContext['locales']): RenderedBody {
    const make = () => {
      const context = { publicUrl: this.#settings.publicUrl, locales }
      return render({ data: version.present[kind](entry, context) })
    }
    // Few requests name locales, and each names others: only the common form is worth the memory.
    return locales.length > 0 ? make() : entry.derive(getVariants(version)[kind], make)
  }

  /** Renders a list of results: each location together with the facts of its result. */
  results(
    results: readonly { readonly entry: LocationEntry; readonly facts: Json }[],
    version: Version,
    kind: Kind,
    locales: PresentContext['locales'],
    rest: Json,
  ): RenderedBody {
    const bodies = results.map(({ entry }) => this.one(entry, version, kind, locales).body)
    const between = results.map(({ facts }, i) => {
      const tail = JSON.stringify(facts).slice(1)
      const next = i + 1 < results.length ? ',{"location":' : ''
      return (tail === '}' ? tail : `,${tail}`) + next
    })
    const body = concatenate(bodies.length > 0 ? '{"data":[{"location":' : '{"data":[', bodies, between, endOf(rest))
    return new RenderedBody(body)
  }

  /** Renders several locations in one envelope by copying their bytes; `rest` has the members that follow `data`. */
  many(
    entries: readonly LocationEntry[],
    version: Version,
    locales: PresentContext['locales'],
    rest: Json,
  ): RenderedBody {
    const rendered = entries.map(entry => this.one(entry, version, 'location', locales))
    const bodies = rendered.map(({ body }) => body)
    const between = bodies.map((_, i) => (i + 1 < bodies.length ? ',' : ''))
    const end = endOf(rest)
    // The validators of the parts represent their bytes.
    const etag = computeEtag(rendered.map(one => one.etag).join('') + end)
    return new RenderedBody(concatenate('{"data":[', bodies, between, end), etag)
  }
}

/** Formats the end of a list and of its envelope, with the members that follow the list. */
function endOf(rest: Json): string {
  const text = JSON.stringify(rest).slice(1)
  return text === '}' ? ']}' : `],${text}`
}

/** Concatenates `begin`, the contents of the bodies' envelopes with `between` after each, and `end`. */
function concatenate(begin: string, bodies: readonly Buffer[], between: readonly string[], end: string): Buffer {
  let length = begin.length + Buffer.byteLength(end)
  for (const [i, body] of bodies.entries()) {
    length += body.length - open.length - close.length + Buffer.byteLength(between[i]!)
  }
  const whole = Buffer.allocUnsafeSlow(length)
  let at = whole.write(begin, 0)
  for (const [i, body] of bodies.entries()) {
    at += body.copy(whole, at, open.length, body.length - close.length)
    const text = between[i]!
    // Usually a comma, which is not worth a call.
    if (text.length === 1) whole[at++] = text.charCodeAt(0)
    else if (text.length > 1) at += whole.write(text, at)
  }
  whole.write(end, at)
  return whole
}

const variants = new Map<Version, Readonly<Record<Kind, string>>>()

/** Returns the names under which entries keep the renderings of a version; made once, since every entity needs them. */
function getVariants(version: Version): Readonly<Record<Kind, string>> {
  const known = variants.get(version)
  if (known) return known
  // The number distinguishes betas: another one exists once another version is the latest stable one (SPEC §9.3).
  const name = `${version.name} ${variants.size}`
  const made = { location: `${name} location`, catalogLocation: `${name} catalogLocation` }
  variants.set(version, made)
  return made
}
