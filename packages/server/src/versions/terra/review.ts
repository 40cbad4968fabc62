import { toHalfSteps } from '../primitives/format.ts'
import type { PresentedReview } from './presented.ts'
import { withLanguage } from './text.ts'

/** Converts a review of version 1 to the form of Terra, whose lists are always present, and whose icon is an object. */
export const toTerraReview = (review: PresentedReview) => ({
  ...review,
  rating_icon_url: review.rating_icon_url && {
    key: `rating_${toHalfSteps(review.rating!)}`,
    url: review.rating_icon_url,
  },
  title: review.title?.map(withLanguage) ?? [],
  text: review.text?.map(withLanguage) ?? [],
  subratings: review.subratings ?? [],
  trip_type: review.trip_type ?? 'NONE',
})
