import { tripTypes } from '../../domain/review.ts'
import { choice, id, idList, instant, integer, localeOr, locales, withDefault } from '../primitives/param.ts'

const locale = locales({
  description: 'Languages to show names and descriptions in, in order of preference; all of them when left out.',
})

/** The query parameters of each operation, by operationId. */
export const params = {
  getLocation: { locale },
  getLocations: {
    ids: idList({
      description: 'Ids of the locations: a comma list, a repeated parameter, or both.',
      aliases: ['id', 'ids[]'],
      maximum: 100,
    }),
    locale,
  },
  getCatalogLocation: { locale },
  listReviews: {
    language: localeOr(['primary'], {
      description: 'Only reviews written in this language; `primary` shows originals only.',
    }),
    rating_min: integer({ minimum: 1, maximum: 5, description: 'Only reviews with at least this rating.' }),
    trip_type: choice(tripTypes, { description: 'Only reviews of this kind of trip.' }),
    published_after_ts: instant({ description: 'Only reviews published after this moment.' }),
    published_after_review_id: id({ description: 'Only reviews published after this review of the same location.' }),
    sort_by: withDefault(choice(['MOST_RECENT', 'HIGHEST_RATED'], { description: 'The order.' }), 'MOST_RECENT'),
    page: withDefault(integer({ minimum: 1, description: 'The page, from 1.' }), 1),
    size: withDefault(integer({ minimum: 1, maximum: 100, description: 'Reviews per page.', aliases: ['limit'] }), 20),
  },
}
