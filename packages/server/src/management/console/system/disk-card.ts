import type { DiskUse } from '../../../domain/disk-use.ts'
import { type Html, html } from '../../../web/html.ts'
import { card, facts } from '../../../web/parts/facts.ts'
import { notice } from '../../../web/parts/notice.ts'
import { formatBytes, formatNumber } from '../../../web/parts/number.ts'
import { type MeasureRow, toneIf } from './measure-row.ts'

/** Free space that is too small for an import or backup, in bytes. */
const fewBytes = 2e9
/** Forecast of days until the disk is full below which the card warns. */
const fewDays = 30
/** A longer forecast says nothing. */
const manyDays = 3650

const daysLeft = ({ freeBytes, journalBytesPerDay }: DiskUse): number =>
  journalBytesPerDay === 0 ? Number.POSITIVE_INFINITY : freeBytes / journalBytesPerDay

const isRunningLow = (use: DiskUse): boolean => use.freeBytes < fewBytes || daysLeft(use) < fewDays

/** Explains the free space of the disk. */
export const diskRow = (use: DiskUse): MeasureRow => ({
  label: 'Disk',
  value: `${formatBytes(use.freeBytes)} free`,
  fine: `At least ${formatBytes(fewBytes)}, and enough for ${fewDays} days of the usage journal. Without space, calls are refused with 503.`,
  tone: toneIf(isRunningLow(use), 'warn'),
})

/** Returns how much the data folder uses, and for how long the disk lasts. */
export function diskCard(use: DiskUse): Html {
  const { freeBytes, parts, journalBytesPerDay } = use
  const days = daysLeft(use)
  const lasts = days > manyDays ? 'more than ten years' : `${formatNumber(Math.floor(days))} days`
  const growth =
    journalBytesPerDay === 0
      ? 'The usage journal did not grow in the last 7 days.'
      : `The usage journal grows by ${formatBytes(journalBytesPerDay)} a day before it is compressed. At this rate the free space lasts ${lasts}.`
  return card('Disk', [
    isRunningLow(use) &&
      notice(
        'warn',
        html`<p>The disk is running low. Keep at least ${formatBytes(fewBytes)} free, and enough space for ${fewDays}
days.</p>`,
      ),
    html`<p>${formatBytes(freeBytes)} are free. ${growth}</p>`,
    facts(parts.map(({ name, bytes: size }) => [name, formatBytes(size)] as const)),
  ])
}
