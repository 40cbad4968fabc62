import type { ChangeStores } from '../../../usecases/partner/list-changes.ts'
import type { Operations } from '../call.ts'
import { type AutocompleteParts, createAutocompleteOperations } from './autocomplete.ts'
import { createChangeOperations } from './changes.ts'
import { createFeedOperations, type FeedParts } from './feeds.ts'
import { createGeoOperations } from './geos.ts'
import { createLocationOperations, type LocationParts } from './locations.ts'
import { createMatchOperations, type MatchParts } from './match.ts'
import { createPhotoOperations, type PhotoParts } from './photos.ts'
import { createSearchOperations, type SearchParts } from './search.ts'

export type OperationParts = LocationParts &
  SearchParts &
  MatchParts &
  AutocompleteParts &
  ChangeStores &
  PhotoParts &
  FeedParts

/** Creates the handlers of all operations. */
export const createOperations = (parts: OperationParts): Operations => ({
  ...createLocationOperations(parts),
  ...createSearchOperations(parts),
  ...createMatchOperations(parts),
  ...createAutocompleteOperations(parts),
  ...createChangeOperations(parts),
  ...createPhotoOperations(parts),
  ...createGeoOperations(parts),
  ...createFeedOperations(parts),
})
