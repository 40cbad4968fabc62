import { describe, expect, it } from 'vitest'
import type { SpecialDay } from '../domain/opening-hours.ts'
import { type ParsedHours, parseOsmHours } from './osm-hours.ts'

/** `MO 09:00-17:00 …`, special days behind. */
function short(hours: ParsedHours | undefined): string | undefined {
  if (!hours) return undefined
  const span = ({ opens, closes }: Partial<SpecialDay>) => (opens === undefined ? 'closed' : `${opens}-${closes}`)
  const days = hours.periods.map(one => `${one.dayOfWeek.slice(0, 2)} ${span(one)}`)
  return [...days, ...(hours.specialDays ?? []).map(day => `${day.date} ${span(day)}`)].join(' ')
}

const each = (days: string, spans: string) =>
  days
    .split(' ')
    .flatMap(day => spans.split(' ').map(one => `${day} ${one}`))
    .join(' ')
const workdays = 'MO TU WE TH FR'
const week = `${workdays} SA SU`

describe('opening hours in the syntax of OpenStreetMap (R-35)', () => {
  const rows: [text: string, expected: string | undefined, country?: string][] = [
    ['24/7', each(week, '00:00-00:00')],
    ['Mo-Fr 09:00-17:00', each(workdays, '09:00-17:00')],
    ['Mo-Fr 9-17', each(workdays, '09:00-17:00')],
    ['10:00-20:00', each(week, '10:00-20:00')],
    ['Mo-Fr 09:00-12:00,14:00-18:00', each(workdays, '09:00-12:00 14:00-18:00')],
    ['Mo-Su 10:00-20:00; We off', each('MO TU TH FR SA SU', '10:00-20:00')],
    ['Fr 18:00-02:00', 'FR 18:00-02:00'],
    ['Su 20:00-03:00', 'SU 20:00-03:00'],
    ['Sa 00:00-24:00', 'SA 00:00-00:00'],
    ['Sa-Su 00:00-24:00', 'SA 00:00-00:00 SU 00:00-00:00'],
    ['Fr 22:00-24:00', 'FR 22:00-00:00'],
    ['9am-5pm Mon-Fri', each(workdays, '09:00-17:00')],
    ['Mo-Fr 09:00-17:00; Dec 25 off', `${each(workdays, '09:00-17:00')} 2026-12-25 closed`],
    ['Sa 10:00-20:00; Dec 25-26 off', 'SA 10:00-20:00 2026-12-26 closed 2027-12-25 closed'],
    ['Th 10:00-20:00; Dec 24 10:00-12:00', 'TH 10:00-20:00 2026-12-24 10:00-12:00 2027-12-24 10:00-12:00'],
    ['Th 10:00-20:00; 2028 Feb 29 12:00-14:00', 'TH 10:00-20:00 2028-02-29 12:00-14:00'],
    ['Th 10:00-20:00; PH off', 'TH 10:00-20:00'],
    ['Th 10:00-20:00; PH off', 'TH 10:00-20:00 2026-01-01 closed 2026-05-14 closed 2027-05-06 closed', 'DE'],
    ['Th,PH 10:00-20:00', 'TH 10:00-20:00', 'SG'],
    ['Th 10:00-20:00; PH unknown', 'TH 10:00-20:00', 'DE'],
    // Hours that a week cannot represent are unknown.
    ['Apr-Oct: Mo-Su 09:00-19:00; Nov-Mar: Mo-Su 10:00-17:00', undefined],
    ['Tu[1] 10:00-12:00', undefined],
    ['sunrise-sunset', undefined],
    ['Mo-Fr 17:00+', undefined],
    ['Mo-Fr 08:00-12:00; Sa "by appointment"', undefined],
    ['off', undefined],
    // So is what is no such text.
    ['nonsense', undefined],
    ['Consultar web oficial', undefined],
    ['Lun - Mar: 12.00 - 16.00 h.', undefined],
    ['De lunes a viernes de 10:00 a 20:00 h', undefined],
    ['10:00', undefined],
    ['99:99-99:99', undefined],
    ['', undefined],
  ]
  it.each(rows)('%s', (text, expected, country) => {
    expect(short(parseOsmHours(text, country, 2026))).toBe(expected)
    // Remembered.
    expect(short(parseOsmHours(text, country, 2026))).toBe(expected)
  })
})
