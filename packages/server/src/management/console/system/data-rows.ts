import type { ServiceMeasures } from '../../../domain/service-measures.ts'
import { formatCount, formatNumber, formatPercent } from '../../../web/parts/number.ts'
import { distance, formatDuration } from '../../../web/parts/time.ts'
import { type MeasureRow, toneIf } from './measure-row.ts'

/** Number of changes that the search index may be behind the data. */
const mostBehind = 5000

/** Explains the measures of the data: its age, running work, cache, packed places and withheld feeds. */
export function dataRows(
  { changedMs, cache, packed, withheldFeeds, running }: ServiceMeasures,
  nowMs: number,
): MeasureRow[] {
  const lookups = cache.hits + cache.misses
  return [
    {
      label: 'Data',
      value: changedMs === undefined ? 'No places yet' : `Last changed ${distance(changedMs, nowMs)}`,
      fine: 'Any age: it depends on your imports.',
      tone: 'good',
    },
    {
      label: 'Running work',
      value: runningText(running),
      fine: 'Any: searches and reads continue meanwhile.',
      tone: 'good',
    },
    {
      label: 'Location cache',
      value:
        lookups === 0 ? 'Not used yet' : `${formatPercent(cache.hits / lookups)} of ${formatNumber(lookups)} lookups`,
      fine: 'Any share: places outside it are read from the store.',
      tone: 'good',
    },
    {
      label: 'Packed places',
      value: `${formatCount(packed.places, 'place')}, ${formatCount(packed.failures, 'failure')} since the start`,
      fine: 'No failures. Without packed files, reads are slower.',
      tone: toneIf(packed.failures > 0, 'warn'),
    },
    {
      label: 'Withheld feeds',
      value: formatNumber(withheldFeeds),
      fine: 'None. The page Feeds says why, and publishes them.',
      tone: toneIf(withheldFeeds > 0, 'warn'),
    },
  ]
}

function runningText({ isImporting, isBuildingFeeds }: ServiceMeasures['running']): string {
  if (isImporting && isBuildingFeeds) return 'An import and a build of feeds are running'
  if (isImporting) return 'An import is running'
  return isBuildingFeeds ? 'A build of feeds is running' : 'No import and no build of feeds is running'
}

/** Explains the measures of the search index. */
export function indexRows({ index, indexFailures }: ServiceMeasures): MeasureRow[] {
  const failures: MeasureRow = {
    label: 'Failures of the index',
    value: `${formatNumber(indexFailures)} since the start`,
    fine: 'None. The service repeats the attempt automatically.',
    tone: toneIf(indexFailures > 0, 'warn'),
  }
  if (!index)
    return [
      {
        label: 'Search index',
        value: 'Not loaded',
        fine: 'Loaded a few seconds after the start. Until then searches are answered with 503.',
        tone: 'warn',
      },
      failures,
    ]
  const { places, changesBehind, overlayChanges, revision, ageMs } = index
  return [
    {
      label: 'Search index',
      value: `${formatCount(places, 'place')}, ${formatCount(changesBehind, 'change')} behind the data, ${formatCount(overlayChanges, 'change')} since it was built`,
      fine: `Up to ${formatNumber(mostBehind)} changes behind, which it follows within seconds.`,
      tone: toneIf(changesBehind > mostBehind, 'warn'),
    },
    {
      label: 'Age of the index',
      value: `Built ${formatDuration(ageMs)} ago, follows the data up to revision ${formatNumber(revision)} of ${formatNumber(revision + changesBehind)}`,
      fine: 'Any age: it is built again when many changes have come since.',
      tone: 'good',
    },
    failures,
  ]
}
