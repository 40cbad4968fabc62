import ical, { ICalEventTransparency } from 'ical-generator'
import type { Lifecycle } from '../../../versions/lifecycle.ts'
import { listEndingParts } from './lifecycle-events.ts'

/** Returns a calendar (RFC 5545) of the sunsets of versions and endpoints, for subscriptions. */
export function sunsetCalendar(
  lifecycle: Lifecycle,
  { publicUrl, name, announcedMs }: { readonly publicUrl: string; readonly name: string; readonly announcedMs: number },
): string {
  const calendar = ical({ name: `Sunsets of the API of ${name}`, prodId: '//Periplus//Sunsets//EN', ttl: 86_400 })
  for (const { id, label, anchor, sunsetMs } of listEndingParts(lifecycle)) {
    if (sunsetMs === undefined) continue
    calendar.createEvent({
      id: `${id}@${new URL(publicUrl).host}`,
      start: new Date(sunsetMs),
      end: new Date(sunsetMs),
      stamp: new Date(announcedMs),
      summary: `${label} is retired`,
      description: `${label} answers 410 from this time on.`,
      url: `${publicUrl}/docs/versions#${anchor}`,
      transparency: ICalEventTransparency.TRANSPARENT,
    })
  }
  return calendar.toString()
}
