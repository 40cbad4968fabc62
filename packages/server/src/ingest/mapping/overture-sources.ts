import type { Fields } from '../row.ts'
import { socialIds } from './social-ids.ts'

/** Licences of the datasets in Overture's places (docs.overturemaps.org/attribution), for sources that name none. */
const licences: Readonly<Record<string, string>> = {
  alltheplaces: 'CC0-1.0',
  foursquare: 'Apache-2.0',
}
const otherLicence = 'CDLA-Permissive-2.0'

/** Attributions and ids of a record of Overture. */
export interface OvertureSources {
  readonly attributions: object[]
  readonly externalIds: object[]
}

/**
 * Reads `sources`: an attribution for each dataset and licence, and the ids of the datasets that describe the whole
 * place. `socials` are ids, too.
 */
export function readSources(sources: unknown, socials: unknown): OvertureSources {
  const attributions: { source: string; license: string }[] = []
  const externalIds: object[] = socialIds(socials)
  for (const one of Array.isArray(sources) ? (sources as (Fields | null)[]) : []) {
    const dataset = one?.dataset
    if (typeof dataset !== 'string' || dataset === '') continue
    const given = one!.license
    const key = dataset.toLowerCase().replaceAll(' ', '')
    const license = typeof given === 'string' && given !== '' ? given : (licences[key] ?? otherLicence)
    if (!attributions.some(known => known.source === dataset && known.license === license))
      attributions.push({ source: dataset, license })
    const isWhole = one!.property === undefined || one!.property === null || one!.property === ''
    if (isWhole && typeof one!.record_id === 'string') externalIds.push({ source: key, id: one!.record_id })
  }
  return { attributions, externalIds }
}
