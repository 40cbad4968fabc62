import type { DiskUse } from '../../../domain/disk-use.ts'
import { type Html, html } from '../../../web/html.ts'
import { card, facts } from '../../../web/parts/facts.ts'
import { notice } from '../../../web/parts/notice.ts'
import { formatBytes, formatNumber } from '../../../web/parts/number.ts'

/** Free space that is too small for an import or backup, in bytes. */
const fewBytes = 2e9
/** Forecast of days until the disk is full below which the card warns. */
const fewDays = 30
/** A longer forecast says nothing. */
const manyDays = 3650

/** Returns how much the data folder uses, and for how long the disk lasts. */
export function diskCard({ freeBytes, parts, journalBytesPerDay }: DiskUse): Html {
  const days = journalBytesPerDay === 0 ? Number.POSITIVE_INFINITY : freeBytes / journalBytesPerDay
  const lasts = days > manyDays ? 'more than ten years' : `${formatNumber(Math.floor(days))} days`
  const growth =
    journalBytesPerDay === 0
      ? 'The usage journal did not grow in the last 7 days.'
      : `The usage journal grows by ${formatBytes(journalBytesPerDay)} a day before it is compressed. At this rate the free space lasts ${lasts}.`
  const isShort = freeBytes < fewBytes || days < fewDays
  return card('Disk', [
    isShort &&
      notice(
        'warn',
        html`<p>The disk is running low. Keep at least ${formatBytes(fewBytes)} free, and enough space for ${fewDays}
days.</p>`,
      ),
    html`<p>${formatBytes(freeBytes)} are free. ${growth}</p>`,
    facts(parts.map(({ name, bytes: size }) => [name, formatBytes(size)] as const)),
  ])
}
