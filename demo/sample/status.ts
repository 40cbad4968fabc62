import { type Place, placeKey } from './place.ts'

/**
 * Reopening dates of places that are shown as temporarily closed. No source has such a place, so three real ones serve
 * as examples. Their descriptions say so, and ATTRIBUTION.md lists them.
 */
export const shownTemporarilyClosed: Readonly<Record<string, string>> = {
  'wikidata:Q178065': '2030-09-01',
  'esmadrid:69363': '2027-06-01',
  'esmadrid:69587': '2028-03-15',
}

/** Closing dates of airports, from public knowledge: the sources know only that they are closed. */
export const closingDates: Readonly<Record<string, string>> = {
  'opentraveldata:3208808': '2008-10-30', // Berlin Tempelhof
  'opentraveldata:262714': '2001-03-28', // Athens Ellinikon
  'opentraveldata:6324585': '1998-07-06', // Hong Kong Kai Tak
  'opentraveldata:7730483': '1998-10-08', // Oslo Fornebu
  'opentraveldata:6296646': '2008-04-30', // Sheffield City
}

const sampleNote: Readonly<Record<string, string>> = {
  en: 'Sample data: shown as temporarily closed; status and reopening date are examples.',
  es: 'Datos de muestra: figura como cerrado temporalmente; el estado y la fecha de reapertura son ejemplos.',
}

/** Adds the status and dates above to a place; otherwise the source's status remains. */
export function withStatus(place: Place): Place {
  const reopenDate = shownTemporarilyClosed[placeKey(place)]
  if (reopenDate !== undefined) {
    const descriptions: Record<string, string> = { ...place.descriptions }
    for (const [language, note] of Object.entries(sampleNote)) {
      descriptions[language] = [note, descriptions[language]].filter(Boolean).join(' ')
    }
    return { ...place, descriptions, status: 'TEMPORARILY_CLOSED', reopen_date: reopenDate }
  }
  const closedDate = closingDates[placeKey(place)]
  return closedDate !== undefined && place.status === 'CLOSED' ? { ...place, closed_date: closedDate } : place
}
