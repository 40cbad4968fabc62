import { LRUCache } from 'lru-cache'
import type { Address } from '../domain/location.ts'
import { countryNamed } from '../gazetteer/countries.ts'
import { countryOfCode } from '../gazetteer/country-codes.ts'
import { tokens } from '../kit/tokens.ts'
import { compact, type FieldReader } from './field-reader.ts'
import { readLanguage } from './texts.ts'

const countryNames = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })

/** Codes that are reserved for countries with another code. */
const otherCodes: Readonly<Record<string, string>> = { UK: 'GB', EL: 'GR' }

/** Codes of the countries that records name; a source repeats few names. */
const namedCountries = new LRUCache<string, { readonly code: string | undefined }>({ max: 1000 })

/**
 * Reads an ISO 3166-1 code of two or three letters, or a name in one of sixteen languages, as the code of two letters.
 * Drops other values and adds a note.
 */
export function readCountry(fields: FieldReader, name: string): string | undefined {
  const text = fields.text(name)?.trim()
  if (text === undefined) return undefined
  const upper = text.toUpperCase()
  if (/^[A-Z]{2}$/.test(upper)) return otherCodes[upper] ?? upper
  const known = namedCountries.get(text) ?? {
    code: countryOfCode(upper) ?? countryNamed(tokens(text).join(' ')),
  }
  namedCountries.set(text, known)
  return known.code ?? fields.unknown('country', text)
}

/** Reads nested `addresses`, or builds one address from the flat fields and the country of the record. */
export function readAddresses(fields: FieldReader, country: string | undefined): Address[] | undefined {
  return fields.has('addresses') ? fields.objects('addresses', readNestedAddress) : readFlatAddress(fields, country)
}

function readNestedAddress(item: FieldReader): Address | undefined {
  return compact<Address>({
    language: readLanguage(item, 'language'),
    streetAddress: item.text('street_address'),
    streetAddress2: item.text('street_address2'),
    city: item.text('city'),
    state: item.text('state'),
    postalCode: item.text('postal_code'),
    countryName: item.text('country_name'),
    countryCode: readCountry(item, 'country_code'),
    formatted: item.text('formatted'),
  })
}

/** Countries whose addresses begin with the house number. */
const numberFirst = new Set('AU BD CA FR GB GG HK IE IM IN JE LK LU MC MT MY NZ PH PK SG TH US ZA'.split(' '))

function withHouseNumber(street: string | undefined, number: string | undefined, country = ''): string | undefined {
  if (number === undefined || street === undefined || street.split(/[\s,]+/).includes(number)) return street
  return numberFirst.has(country) ? `${number} ${street}` : `${street} ${number}`
}

function readFlatAddress(fields: FieldReader, countryCode: string | undefined): Address[] | undefined {
  const line = withHouseNumber(fields.text('address'), fields.text('house_number'), countryCode)
  const city = fields.text('city')
  const state = fields.text('region')
  const postalCode = fields.text('postal_code')
  // Many sources put the full address into this field, which is then not a street.
  const isFullAddress =
    line !== undefined &&
    ((postalCode !== undefined && line.includes(postalCode)) || (city !== undefined && line.endsWith(city)))
  const street = isFullAddress ? undefined : line
  const country = countryCode === undefined ? undefined : countryNames.of(countryCode)
  const cityLine = [postalCode, city].filter(Boolean).join(' ')
  const composed = [street, cityLine, state, country].filter(Boolean).join(', ')
  const address = compact<Address>({
    streetAddress: street,
    city,
    state,
    postalCode,
    countryName: country,
    countryCode,
    formatted: isFullAddress ? line : composed || undefined,
  })
  return address && [address]
}
