/** ISO weekday order. */
export const daysOfWeek = ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY'] as const
export type DayOfWeek = (typeof daysOfWeek)[number]

/** A period in local time, HH:MM; `closes` at or before `opens` means the next day. */
export interface Period {
  readonly dayOfWeek: DayOfWeek
  readonly opens: string
  readonly closes: string
}

/**
 * A period on a date whose hours replace the weekly ones; without times, the place is closed on that day. A date may
 * occur several times.
 */
export interface SpecialDay {
  readonly date: string
  readonly opens?: string
  readonly closes?: string
}

/** Opening hours of a place. */
export interface OpeningHours {
  readonly periods?: readonly Period[]
  readonly specialDays?: readonly SpecialDay[]
  /** The opening hours as formatted by the source. */
  readonly formatted?: readonly string[]
  /** IANA zone name. */
  readonly timezone?: string
}
