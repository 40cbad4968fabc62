import { type Place, placeKey, type Review } from './place.ts'
import { sources } from './sources.ts'
import { closingDates, shownTemporarilyClosed } from './status.ts'

interface Tally {
  readonly source: string
  readonly license: string
  count: number
}

/** Returns the text of ATTRIBUTION.md. Throws if a record has a source that sources.ts does not list. */
export function attributionText(places: readonly Place[], reviews: readonly Review[]): string {
  return `${[
    '# Where the sample data comes from',
    '`node demo/attribution.ts` generates this file from the records; do not edit it.',
    `The bundled sample has ${number(places.length)} places and ${number(reviews.length)} reviews. The places are real. ` +
      '**The ratings and reviews are generated** (see below).',
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

/** Returns a table with one row for each source and licence, the largest first. */
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
  if (known === undefined) throw new Error(`The source ${source} has no entry in demo/sample/sources.ts.`)
  const { title, url, licence, licenceUrl, statement } = known
  return `| \`${source}\` | ${number(count)} | [${title}](${url}) | [${licence}](${licenceUrl}) | ${license} | ${statement} |`
}

const changes = [
  'The places are a selection. E-mail addresses, rows without coordinates, and rows of the business directory with an obviously',
  'wrong category were removed. Descriptions that the source truncates now end with a complete sentence, and stray spaces in',
  'them were removed. Two records of the same sight were merged. For a few famous sights the city was separated from the name.',
  'The first place, the Museo Nacional del Prado, has its full name and street, machine-readable opening hours, and names and',
  'short descriptions in other languages, which were written for this project; its Spanish description is from the source.',
].join('\n')

function generated(reviews: readonly Review[]): string {
  const sights = new Set(reviews.map(review => `${review.place_source}:${review.place_source_id}`)).size
  const languages = [...new Set(reviews.map(review => review.lang))].sort().join(', ')
  const licences = [...new Set(reviews.map(review => review.license))].join('; ')
  return [
    `All ${number(reviews.length)} reviews, their ratings and subratings, and the replies to them are **generated** by`,
    '`demo/build-sample.ts` from a seed and lists of phrases. No visitor wrote them, no owner replied, and they say nothing',
    'about the real quality of a place. Every rating that the service computes from the sample is based on them. Each text and',
    'each reply ends with a note in its language that it is generated, and each user is named “Sample traveller” with a number.',
    `The reviews are about ${number(sights)} attractions and museums, and not about restaurants, hotels or other small businesses.`,
    `Languages: ${languages}. Licence: ${licences}.`,
  ].join('\n')
}

/** Lists the status values that are examples, and the dates that were added. */
function statusNotes(places: readonly Place[]): string {
  const names = new Map(places.map(place => [placeKey(place), place.name]))
  const row = ([key, date]: [string, string]): string => `- ${names.get(key) ?? key} (\`${key}\`): ${date}`
  return [
    'OPEN and CLOSED are from the sources. A place without a status counts as OPEN.',
    'No source has a temporarily closed place, so these real places have the status TEMPORARILY_CLOSED **as an example ' +
      'only**, with an invented reopening date; their descriptions say so:',
    Object.entries(shownTemporarilyClosed).map(row).join('\n'),
    'According to the sources these airports are closed, but the closing dates are missing; they were added from public knowledge:',
    Object.entries(closingDates).map(row).join('\n'),
  ].join('\n\n')
}

/** Formats a number such as 45,475, independent of the machine's locale. */
const number = (n: number): string => String(n).replace(/\B(?=(\d{3})+$)/g, ',')
