import { type Place, placeKey, type Review } from './place.ts'
import { sources } from './sources.ts'
import { closingDates, shownTemporarilyClosed } from './status.ts'

interface Tally {
  readonly source: string
  readonly license: string
  count: number
}

/** The whole of ATTRIBUTION.md. Throws, with a sentence, where a record has a source that the table does not know. */
export function attributionText(places: readonly Place[], reviews: readonly Review[]): string {
  return `${[
    '# Where the sample data comes from',
    'This file is made by `node demo/attribution.ts` from the records themselves; do not edit it by hand.',
    `The bundled sample has ${number(places.length)} places and ${number(reviews.length)} reviews. The places are real. ` +
      '**The ratings and reviews are generated**; see below.',
    '## Places',
    sourceTable(places),
    '### What was changed',
    changes,
    '## Ratings and reviews',
    generated(reviews),
    '## Status',
    statusNotes(places),
  ].join('\n\n')}\n`
}

/** One row for each source and licence, largest first. */
function sourceTable(places: readonly Place[]): string {
  const tallies = new Map<string, Tally>()
  for (const { source, license } of places) {
    const key = `${source} ${license}`
    const tally = tallies.get(key) ?? { source, license, count: 0 }
    tally.count++
    tallies.set(key, tally)
  }
  const rows = [...tallies.values()].sort((a, b) => b.count - a.count || (a.source < b.source ? -1 : 1)).map(sourceRow)
  return [
    '| source | places | from | licence | as recorded | attribution |',
    '|---|---|---|---|---|---|',
    ...rows,
  ].join('\n')
}

function sourceRow({ source, license, count }: Tally): string {
  const known = sources[source]
  if (known === undefined) throw new Error(`demo/sample/sources.ts does not say what the licence of ${source} asks for`)
  const { title, url, licence, licenceUrl, statement } = known
  return `| \`${source}\` | ${number(count)} | [${title}](${url}) | [${licence}](${licenceUrl}) | ${license} | ${statement} |`
}

const changes = [
  'The places are a selection. E-mail addresses are left out, and so are rows without coordinates and rows of the business',
  'directory that are plainly in the wrong category. Descriptions that the source cuts off end at a whole sentence, and',
  'stray spaces in them are closed. Two records of one sight are one. A few famous sights have their city apart from their',
  'name. The first place, the Museo Nacional del Prado, has its full name and street, opening hours in a form that a',
  'machine can read, and names and short descriptions in other languages, which were written for this project; its Spanish',
  'description is the source’s.',
].join('\n')

function generated(reviews: readonly Review[]): string {
  const sights = new Set(reviews.map(review => `${review.place_source}:${review.place_source_id}`)).size
  const languages = [...new Set(reviews.map(review => review.lang))].sort().join(', ')
  const licences = [...new Set(reviews.map(review => review.license))].join('; ')
  return [
    `All ${number(reviews.length)} reviews, their ratings and subratings and the answers to them are **generated** by`,
    '`demo/build-sample.ts` from a seed and lists of phrases. No visitor wrote them, no owner answered, and they say nothing',
    'about the real quality of a place; every rating that the service serves from the sample is computed from them. Each text',
    'and each answer says so at its end, in its own language, and each user is called “Sample traveller” with a number.',
    `They are about ${number(sights)} attractions and museums, and about no restaurant, hotel or other small business.`,
    `Languages: ${languages}. Licence: ${licences}.`,
  ].join('\n')
}

/** Which status values are examples, and which dates were added. */
function statusNotes(places: readonly Place[]): string {
  const names = new Map(places.map(place => [placeKey(place), place.name]))
  const row = ([key, date]: [string, string]): string => `- ${names.get(key) ?? key} (\`${key}\`): ${date}`
  return [
    'OPEN and CLOSED come from the sources. A place without a status is taken for OPEN.',
    'No source has a place that is closed for a while, so these real places are shown as TEMPORARILY_CLOSED **as an ' +
      'example only**, with an invented reopening date; their descriptions say so:',
    Object.entries(shownTemporarilyClosed).map(row).join('\n'),
    'The sources say that these airports are closed but not since when; the closing dates were added from public knowledge:',
    Object.entries(closingDates).map(row).join('\n'),
  ].join('\n\n')
}

/** 45,475: the same on every machine. */
const number = (n: number): string => String(n).replace(/\B(?=(\d{3})+$)/g, ',')
