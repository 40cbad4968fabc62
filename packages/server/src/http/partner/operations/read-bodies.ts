import type { LocationReader } from '../../../domain/data-stores.ts'
import type { Id } from '../../../domain/id.ts'
import { getLocations, type LocationsFound } from '../../../usecases/partner/get-locations.ts'
import type { RenderedBody } from '../../wire/rendered.ts'
import { type BodyTerms, findReady, type ReadyBodies } from '../ready-bodies.ts'
import type { LocationRenderer } from '../render.ts'

/** The bodies of a multi-GET in the requested order, and the ids that have another result. */
export interface BodiesFound extends Pick<LocationsFound, 'missing' | 'merged'> {
  readonly bodies: readonly RenderedBody[]
}

/** Reads the bodies of several locations: those that are ready, and the rest from the store. */
export async function readBodies(
  parts: { readonly locations: LocationReader; readonly renderer: LocationRenderer; readonly ready: ReadyBodies },
  { ids, ...terms }: BodyTerms & { readonly ids: readonly Id[] },
): Promise<BodiesFound> {
  const { locations, renderer, ready } = parts
  const found = ids.map(id => findReady(ready, terms, id))
  const others = ids.filter((_, i) => found[i] === undefined)
  const read = async (wanted: readonly Id[]) => {
    const { entries, ...rest } = await getLocations(locations, terms.scope, wanted)
    return {
      entries,
      bodies: entries.map(e => renderer.renderOne(e, terms.version, 'location', terms.locales)),
      ...rest,
    }
  }
  if (others.length === 0) return { bodies: found as RenderedBody[], missing: [], merged: [] }
  const { entries, bodies, missing, merged } = await read(others)
  if (others.length === ids.length) return { bodies, missing, merged }
  // A survivor may be among the ready bodies as well, and occurs once.
  if (merged.length > 0) return read(ids)
  let next = 0
  const inOrder = ids.map((id, i) => found[i] ?? (entries[next]?.id === id ? bodies[next++] : undefined))
  return { bodies: inOrder.filter(body => body !== undefined), missing, merged }
}
