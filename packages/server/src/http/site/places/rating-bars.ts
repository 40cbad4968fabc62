import type { RatingSummary } from '../../../domain/ratings.ts'
import { subratingName } from '../../../domain/subratings.ts'
import { type Html, html } from '../../../web/html.ts'
import { shareBar } from '../../../web/parts/meter.ts'
import { formatNumber } from '../../../web/parts/number.ts'

/** Returns the distribution of ratings from 5 to 1 and the subratings as labelled bars; nothing without ratings. */
export function ratingBars(ratings: RatingSummary | undefined): Html | undefined {
  const { overall, breakdowns = [], subratings = [] } = ratings ?? {}
  if (overall?.rating === undefined) return undefined
  const most = Math.max(1, ...breakdowns.map(({ count }) => count))
  const total = overall.count !== undefined && html`<br>${formatNumber(overall.count)} reviews`
  const counts = breakdowns.map(({ rating, count }) => bar(`${rating} of 5`, formatNumber(count), count / most))
  const averages = subratings.map(({ type, rating }) => bar(subratingName(type), rating.toFixed(1), rating / 5))
  return html`<h2>Ratings</h2>
<div class="ratings">
<p class="rating-large"><strong>${overall.rating.toFixed(1)}</strong> <span class="quiet">of 5${total}</span></p>
${bars('Number of reviews by rating', counts)}
${bars('Average subratings', averages, 'averages')}
</div>
`
}

const bars = (label: string, list: readonly Html[], kind = 'counts'): Html | false =>
  list.length > 0 && html`<dl class="bars ${kind}" aria-label="${label}">\n${list}</dl>`

const bar = (label: string, value: string, share: number): Html =>
  html`<div><dt>${label}</dt><dd>${shareBar(share)}<span>${value}</span></dd></div>\n`
