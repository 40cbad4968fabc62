import { isFault } from '../../domain/fault.ts'
import type { Location, LocationEntry } from '../../domain/location.ts'
import type { SearchHit } from '../../domain/search.ts'
import { toLongJson } from '../../kit/long-json.ts'
import { formatTimestamp, type PresentContext } from '../primitives/format.ts'
import { readParams } from '../primitives/read-params.ts'
import { invalidParameters } from '../primitives/requests/read-args.ts'
import { booleanParam } from '../primitives/single-params.ts'
import type { Version } from '../version.ts'
import { presentInterpretation } from './interpretation.ts'
import { openingFields, zoneOf } from './opening.ts'
import { createBetaSchemas } from './schema.ts'

/** Parameters of searches in beta, next to those of the stable version. */
const searchParams = {
  collapse: booleanParam({
    description: 'Leave out places with the name of a city nearby that is a result, and list them in its `also`.',
  }),
}

/** Presents the state or province; a record of an earlier release has none before its next import. */
const region = ({ region }: Location) => region && { code: region.code, from: region.from }

/**
 * Returns beta: the latest stable version plus changes under test (SPEC §9.3, R-16). It may change without notice. If
 * another version becomes the latest stable one, beta is based on it.
 */
export const createBeta = (stable: Version): Version => ({
  ...stable,
  name: 'beta',
  dependsOnTime: true,
  params: {
    ...stable.params,
    searchLocations: { ...stable.params.searchLocations, ...searchParams },
    searchCatalog: { ...stable.params.searchCatalog, ...searchParams },
  },
  read: {
    ...stable.read,
    searchLocations: ({ collapse, ...query }, nowMs) => {
      const args = stable.read.searchLocations(query, nowMs)
      const read = readParams(searchParams, collapse === undefined ? {} : { collapse })
      if (isFault(args)) return args
      if ('errors' in read) return invalidParameters(read.errors)
      return { ...args, query: { ...args.query, explain: true, ...(read.values.collapse && { collapse: true }) } }
    },
  },
  present: {
    ...stable.present,
    location: (entry: LocationEntry, context: PresentContext) => {
      const { opening } = context
      const record = entry.location()
      return Object.assign(
        stable.present.location(entry, context),
        { last_updated_ts: formatTimestamp(entry.updatedMs), region: region(record) },
        opening && { timezone: zoneOf(record, opening.zoneAt), ...openingFields(record, opening) },
      )
    },
    missingExternalIds: ids => ({ missing_external_ids: ids }),
    interpretation: presentInterpretation,
    nextPage: ({ cursor, url }) => ({ cursor, next: url }),
    searchFields: (hit: SearchHit) =>
      Object.assign(stable.present.searchFields(hit), {
        score: hit.score,
        match: hit.match,
        also: hit.also?.map(({ id, categoryId }) => ({ id: toLongJson(id), category_id: categoryId })),
      }),
  },
  ...(stable.schemas && { schemas: createBetaSchemas(stable.schemas) }),
})
