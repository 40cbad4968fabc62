import type { Address } from '../domain/location.ts'
import { compact, type FieldReader } from './field-reader.ts'
import { readLanguage } from './texts.ts'

const countryNames = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })

/** Reads an ISO 3166-1 alpha-2 code and returns it in upper case. Drops other values and adds a note. */
export function readCountry(fields: FieldReader, name: string): string | undefined {
  const code = fields.text(name)?.trim().toUpperCase()
  if (code === undefined) return undefined
  if (/^[A-Z]{2}$/.test(code)) return code
  return fields.unknown('country', code)
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

function readFlatAddress(fields: FieldReader, countryCode: string | undefined): Address[] | undefined {
  const line = fields.text('address')
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
