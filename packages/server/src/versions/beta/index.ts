import type { LocationEntry } from '../../domain/location.ts'
import type { SearchHit } from '../../domain/search.ts'
import { type PresentContext, timestamp } from '../primitives/format.ts'
import type { Version } from '../version.ts'
import { betaSchemas } from './schema.ts'

/**
 * Beta: whatever version is the latest stable one, plus changes under test (SPEC §9.3, R-16). Promoting a version moves
 * beta along. May change without notice.
 */
export const betaOf = (stable: Version): Version => ({
  ...stable,
  name: 'beta',
  present: {
    ...stable.present,
    location: (entry: LocationEntry, context: PresentContext) =>
      Object.assign(stable.present.location(entry, context), { last_updated_ts: timestamp(entry.updatedMs) }),
    searchFacts: (entry: LocationEntry, hit: SearchHit) =>
      Object.assign(stable.present.searchFacts(entry, hit), { score: hit.score }),
  },
  ...(stable.schemas && { schemas: betaSchemas(stable.schemas) }),
})
