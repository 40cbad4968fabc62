const formats = new Map<string, Intl.DateTimeFormat>()

/** The calendar day of a moment in a time zone (IANA name), `2026-11-30`. Throws RangeError for an unknown zone. */
export function localDay(timeMs: number, timeZone: string): string {
  let format = formats.get(timeZone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
    formats.set(timeZone, format)
  }
  return format.format(timeMs)
}

export const isTimeZone = (name: string): boolean => {
  try {
    localDay(0, name)
    return true
  } catch {
    return false
  }
}

/** The half-open span of a calendar month (`2026-11`) in a time zone. */
export function monthSpan(month: string, timeZone: string): { readonly fromMs: number; readonly toMs: number } {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return { fromMs: startOf(year, number, timeZone), toMs: startOf(year, number + 1, timeZone) }
}

/** The first quarter of an hour that lies in the month: zones are whole quarters off UTC, by 14 hours at most. */
function startOf(year: number, month: number, timeZone: string): number {
  const quarterMs = 900_000
  const utc = Date.UTC(year, month - 1)
  const asked = new Date(utc).toISOString().slice(0, 7)
  let at = utc - 14 * 4 * quarterMs
  while (localDay(at, timeZone).slice(0, 7) < asked) at += quarterMs
  return at
}
