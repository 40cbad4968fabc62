import type { AuditLog } from '../domain/audit-log.ts'
import type { ReviewReader } from '../domain/data-stores.ts'
import type { Moderation } from '../domain/moderation.ts'
import type { OverrideReader } from '../domain/override-value.ts'
import type { ReviewList } from '../domain/review-list.ts'
import type { SuggestionStore } from '../domain/suggestion.ts'
import type { PlaceStores } from '../usecases/admin/override-location.ts'

/** Dependencies of the use cases about places and reviews. */
export interface PlaceContext extends PlaceStores {
  readonly readOverride: OverrideReader
  readonly suggestions: SuggestionStore
  newSuggestionId(): string
  readonly audit: AuditLog
  readonly reviewList: ReviewList
  readonly reviews: ReviewReader
  /** Opens moderation, which reads the secret of digests. */
  readonly moderation: () => Moderation
}
