import type { RatingSummary } from '../../../domain/ratings.ts'
import { type Html, html } from '../../../web/html.ts'
import { number } from '../../../web/parts/number.ts'

/** Returns the distribution of ratings from 5 to 1 and the subratings as labelled bars; nothing without ratings. */
export function ratingBars(ratings: RatingSummary | undefined): Html | undefined {
  const { overall, breakdowns = [], subratings = [] } = ratings ?? {}
  if (overall?.rating === undefined) return undefined
  const most = Math.max(1, ...breakdowns.map(({ count }) => count))
  return html`<h2>Ratings</h2>
<div class="ratings">
<p class="rating-large"><strong>${overall.rating.toFixed(1)}</strong> <span class="quiet">of 5${overall.count !== undefined && html`<br>${number(overall.count)} reviews`}</span></p>
${breakdowns.length > 0 && html`<dl class="bars" aria-label="Number of reviews by rating">\n${breakdowns.map(({ rating, count }) => bar(`${rating} of 5`, number(count), count / most))}</dl>`}
${subratings.length > 0 && html`<dl class="bars" aria-label="Average subratings">\n${subratings.map(({ type, rating }) => bar(subratingName(type), rating.toFixed(1), rating / 5))}</dl>`}
</div>
`
}

/** Returns the name of a subrating: `sleep_quality` is "Sleep quality". */
export const subratingName = (type: string): string => {
  const words = type.replaceAll('_', ' ').toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const bar = (label: string, value: string, share: number): Html =>
  html`<div><dt>${label}</dt><dd><svg class="bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true"><rect class="track" width="100" height="6"/><rect class="fill" width="${(share * 100).toFixed(1)}" height="6"/></svg><span>${value}</span></dd></div>\n`
