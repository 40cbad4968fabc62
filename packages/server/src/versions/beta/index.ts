import type { LocationEntry } from '../../domain/location.ts'
import type { SearchHit } from '../../domain/search.ts'
import { formatTimestamp, type PresentContext } from '../primitives/format.ts'
import type { Version } from '../version.ts'
import { openingFields } from './opening.ts'
import { createBetaSchemas } from './schema.ts'

/**
 * Returns beta: the latest stable version plus changes under test (SPEC §9.3, R-16). It may change without notice. If
 * another version becomes the latest stable one, beta is based on it.
 */
export const createBeta = (stable: Version): Version => ({
  ...stable,
  name: 'beta',
  dependsOnTime: true,
  present: {
    ...stable.present,
    location: (entry: LocationEntry, context: PresentContext) =>
      Object.assign(
        stable.present.location(entry, context),
        { last_updated_ts: formatTimestamp(entry.updatedMs) },
        context.opening && openingFields(entry.location(), context.opening),
      ),
    missingExternalIds: ids => ({ missing_external_ids: ids }),
    searchFields: (hit: SearchHit) => Object.assign(stable.present.searchFields(hit), { score: hit.score }),
  },
  ...(stable.schemas && { schemas: createBetaSchemas(stable.schemas) }),
})
