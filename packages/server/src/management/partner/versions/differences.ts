import type { ServedVersion } from '../../../domain/lifecycle.ts'
import { type ExamplePlace, readExamplePlaces } from '../../../usecases/admin/find-example-places.ts'
import { type Html, type HtmlValue, html } from '../../../web/html.ts'
import { breakable } from '../../../web/parts/code.ts'
import { card } from '../../../web/parts/facts.ts'
import { form } from '../../../web/parts/form.ts'
import { link } from '../../../web/parts/link.ts'
import { table } from '../../../web/parts/table.ts'
import { versionTitle } from '../../../web/parts/version-badge.ts'
import { localText, nameOf } from '../../../web/place-words.ts'
import { linkTo } from '../../../web/site.ts'
import type { ManagementContext } from '../../context.ts'
import type { PartnerRequest } from '../../pages/page-route.ts'
import type { VersionPair } from '../../version-pair.ts'
import { addValues, findValueDifferences, type ShownDifference } from './differing-values.ts'
import { presentRecords } from './presented-records.ts'

/** A version to compare: a choice of a form. */
export interface ComparedVersion {
  readonly value: string
  readonly label: string
}

/** Two versions that a page compares. */
export interface ComparedPair {
  /** All versions, oldest first, beta last. */
  readonly choices: readonly ComparedVersion[]
  readonly before: string
  readonly after: string
}

/**
 * Returns the two versions that the query names, or by default the oldest served version that the partner calls and the
 * version to move to: the default version, or else the newest one.
 */
export function readPair(
  versions: readonly ServedVersion[],
  query: PartnerRequest['query'],
  isCalled: (name: string) => boolean,
): ComparedPair {
  const choices = [
    ...versions.map(({ name, status }) => ({ value: name, label: `${name} (${status})` })),
    { value: 'beta', label: 'beta (preview)' },
  ]
  const current = versions.find(({ isDefault }) => isDefault)?.name ?? versions[0]!.name
  const oldest = versions.find(({ name, status }) => status !== 'retired' && isCalled(name))?.name ?? current
  const isKnown = (name: string | undefined): name is string => choices.some(({ value }) => value === name)
  const before = isKnown(query.before) ? query.before : oldest
  const newest = versions.findLast(({ name }) => name !== before)?.name ?? 'beta'
  const next = current === before ? newest : current
  return { choices, before, after: isKnown(query.after) ? query.after : next }
}

/** Reads well-known places that the partner can read. */
export async function readExamples(
  { exampleIds, admin: { packageTable }, places: { locations, reviews } }: ManagementContext,
  { actor, partner }: PartnerRequest,
): Promise<readonly ExamplePlace[]> {
  const ids = await exampleIds(partner.scope)
  return readExamplePlaces({ locations, reviews, packageTable }, actor, { terms: partner, ids })
}

/**
 * Shows the endpoints, fields and parameters that differ between two versions, each with its values in one of the
 * places.
 */
export function differencesCard(
  { compareVersions, apiUrl }: ManagementContext,
  request: PartnerRequest,
  { choices, before, after, places }: ComparedPair & { readonly places: readonly ExamplePlace[] },
): Html {
  const { nowMs, site, path } = request
  const pair = compareVersions(before, after, nowMs)
  const rows = pair ? listDifferences(pair, places, apiUrl) : []
  const select = (name: string, label: string, value: string) =>
    ({ name, id: `differences-${name}`, label, type: 'select', value, choices }) as const
  const choice = form({
    action: `${linkTo(site, path)}#differences`,
    method: 'get',
    inline: true,
    button: 'Show',
    kind: 'plain',
    fields: [select('before', 'Version', before), select('after', 'With version', after)],
  })
  const about = html`<p>Every endpoint, field and parameter that differs, with its values in a well-known place
that your keys can read. Parameters, and the fields of results and responses, have the values of the examples in the
reference.</p>`
  return card('Differences by field', [about, choice, differenceTable(rows, { before, after }, request)], {
    id: 'differences',
  })
}

/** Returns the differences of types and of values, each with the values of a place. */
function listDifferences(pair: VersionPair, places: readonly ExamplePlace[], publicUrl: string): ShownDifference[] {
  const presented = presentRecords(pair, publicUrl)
  return [
    ...pair.differences.map(one => addValues(one, places, presented)),
    ...findValueDifferences(pair.differences, places, presented),
  ]
}

const differenceTable = (
  rows: readonly ShownDifference[],
  { before, after }: { readonly before: string; readonly after: string },
  request: PartnerRequest,
): HtmlValue =>
  table<ShownDifference>({
    caption: `Differences between version ${before} and version ${after}`,
    columns: [
      {
        label: 'Field or parameter',
        kind: 'name',
        cell: ({ of, name }) => html`<span class="quiet small">${of}</span><br><code>${breakable(name)}</code>`,
      },
      { label: versionTitle(before), cell: row => inVersion(row.before, (row.values ?? row.examples)?.before) },
      { label: versionTitle(after), cell: row => inVersion(row.after, (row.values ?? row.examples)?.after) },
      { label: 'Example', cell: row => exampleOf(row, request, after) },
    ],
    rows,
    empty: html`<p class="quiet">${
      before === after ? 'Choose two different versions.' : 'Their endpoints, fields and parameters are the same.'
    }</p>`,
  })

/** Returns the type of a field in a version, and its value; an empty type is that of the other version. */
function inVersion(type: string | undefined, value: string | undefined): HtmlValue {
  if (type === undefined) return html`<span class="quiet">absent</span>`
  const sent = value !== undefined && html`<code class="value">${breakable(value)}</code>`
  return html`${type !== '' && html`<span class="quiet small">${type}</span>`}${sent}`
}

/** Returns the place of an example; for a parameter or a field of a result, the call that shows it. */
function exampleOf(
  { operation, values }: ShownDifference,
  { site, partner }: PartnerRequest,
  version: string,
): HtmlValue {
  if (operation !== undefined) {
    const document = version === 'beta' ? version : `v${version}`
    const target = `/portal/${partner.id}/explorer?operation=${operation}&version=${document}`
    return link(linkTo(site, target), 'Try it')
  }
  if (!values) return html`<span class="quiet">no place found</span>`
  const { entry } = values.place
  const name = localText(nameOf(entry.location()))
  if (site.has.places) return link(linkTo(site, `/places/${entry.id}`), name)
  return html`${name} <span class="quiet">${String(entry.id)}</span>`
}
