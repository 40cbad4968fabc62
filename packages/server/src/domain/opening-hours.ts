/** ISO weekday order. */
export const daysOfWeek = ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY'] as const
export type DayOfWeek = (typeof daysOfWeek)[number]

/** Times are local, HH:MM; `closes` at or before `opens` means the next day. */
export interface Period {
  readonly dayOfWeek: DayOfWeek
  readonly opens: string
  readonly closes: string
}

/** A date that replaces the weekly periods; without times the place is closed that day. */
export interface SpecialDay {
  readonly date: string
  readonly opens?: string
  readonly closes?: string
}

export interface OpeningHours {
  readonly periods?: readonly Period[]
  readonly specialDays?: readonly SpecialDay[]
  /** The hours as the source words them. */
  readonly formatted?: readonly string[]
  /** IANA zone name. */
  readonly timezone?: string
}
