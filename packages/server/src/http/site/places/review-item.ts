import type { LocalText } from '../../../domain/location.ts'
import type { Review, TripType } from '../../../domain/review.ts'
import { subratingName } from '../../../domain/subratings.ts'
import { attribute, type Html, html } from '../../../web/html.ts'
import { calendarDate, time } from '../../../web/parts/time.ts'
import { localText } from '../../../web/place-words.ts'

export const tripTypeNames: Readonly<Record<TripType, string>> = {
  BUSINESS: 'Business',
  COUPLES: 'Couples',
  FAMILY: 'Family',
  FRIENDS: 'Friends',
  SOLO: 'Solo',
  NONE: 'Other',
}

/** Returns a review as an item of a list. */
export function reviewItem(review: Review, zone: string): Html {
  const { rating, user, publishedMs, tripType, travelDate, subratings = [], ownerResponse } = review
  const title = original(review.title, review.language)
  const text = original(review.text, review.language)
  const details = [
    user?.username,
    tripType !== undefined && tripType !== 'NONE' && tripTypeNames[tripType],
    travelDate !== undefined && `visited ${calendarDate(travelDate.slice(0, 7), 'month')}`,
    review.language !== undefined && languageName(review.language),
  ].filter(part => part !== undefined && part !== false)
  const stars = rating !== undefined && html`<strong>${rating} of 5</strong> `
  const published = publishedMs !== undefined && [details.length > 0 && ' · ', time(publishedMs, zone, 'day')]
  const aspects = subratings.map(one => `${subratingName(one.type)} ${one.rating}`).join(' · ')
  return html`<li class="review"><article>
<p class="review-head">${stars}<span class="quiet small">${details.join(' · ')}${published}</span></p>
${title && html`<h3 dir="auto">${localText(title)}</h3>`}
${text && html`<p${attribute('lang', text.language)} dir="auto">${text.value}</p>`}
${aspects !== '' && html`<p class="small quiet">${aspects}</p>`}
${ownerResponse && answer(ownerResponse.text)}</article></li>
`
}

/** Returns the text in the language of the original. */
const original = (texts: readonly LocalText[] = [], language: string | undefined): LocalText | undefined =>
  texts.find(text => text.language === language) ?? texts[0]

function answer(texts: readonly LocalText[]): Html | undefined {
  const [text] = texts
  return (
    text &&
    html`<blockquote><p class="small"><strong>Response from the owner</strong></p><p>${localText(text)}</p>
</blockquote>`
  )
}

const names = new Intl.DisplayNames('en', { type: 'language', fallback: 'code' })

/** Returns the English name of a language. */
export function languageName(tag: string): string {
  try {
    return names.of(tag) ?? tag
  } catch {
    return tag
  }
}
