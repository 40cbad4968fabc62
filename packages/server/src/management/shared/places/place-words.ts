import type { LocalText, Location, Status } from '../../../domain/location.ts'
import type { OpeningHours } from '../../../domain/opening-hours.ts'
import { isWholeField, type Override, type OverrideField, type WholeField } from '../../../domain/override.ts'
import { attribute, type Html, type HtmlValue, html } from '../../../web/html.ts'
import { formatCount } from '../../../web/parts/number.ts'
import { nameOf, priceNames } from '../../../web/place-words.ts'
import { specialRules, weeklyRules } from './hours-text.ts'

/** Name of each field in forms and tables. */
export const fieldLabels: Readonly<Record<OverrideField | WholeField, string>> = {
  names: 'Names',
  status: 'Status',
  coordinates: 'Coordinates',
  category: 'Category',
  address: 'Address',
  phones: 'Phone numbers',
  urls: 'Web addresses',
  hours: 'Opening hours',
  price_level: 'Price level',
  merged_into: 'Merged into',
  removed: 'Removed',
}

export const statusLabels: Readonly<Record<Status['value'], string>> = {
  OPEN: 'Open',
  CLOSED: 'Permanently closed',
  TEMPORARILY_CLOSED: 'Temporarily closed',
}

/** Returns the primary name of a place as text. */
export const placeName = (location: Location): string => nameOf(location).value

/** Returns the value of a field as its readers know it. */
export function describeValue(field: Override['field'], value: Override['value']): HtmlValue {
  return isWholeField(field) ? String(value) : (describers[field] as (value: unknown) => HtmlValue)(value)
}

type Describers = { readonly [F in OverrideField]: (value: never) => HtmlValue }

const describers: Describers = {
  names: (names: Location['names']) => names.map(describeName),
  status: describeStatus,
  coordinates: ({ latitude, longitude }: Location['coordinates']) => `${latitude}, ${longitude}`,
  category: (categories: Location['categories']) => categories.map(({ displayName }) => displayName).join(', '),
  address: (addresses: NonNullable<Location['addresses']>) =>
    addresses.map(address => html`<div>${describeAddress(address)}</div>`),
  phones: (phones: NonNullable<Location['phoneNumbers']>) => phones.map(({ value }) => value).join(', '),
  urls: ({ official, menu }: NonNullable<Location['urls']>) => [
    official !== undefined && html`<div>${official}</div>`,
    menu !== undefined && html`<div>Menu: ${menu}</div>`,
  ],
  hours: describeHours,
  price_level: (level: NonNullable<Location['priceLevel']>) => priceNames[level],
}

function describeName({ language, value, primary }: LocalText): Html {
  const remarks = [language, primary && 'primary'].map(text => text && html` <span class="quiet small">${text}</span>`)
  return html`<div><bdi${attribute('lang', language)}>${value}</bdi>${remarks}</div>`
}

function describeStatus({ value, closedDate, reopenDate }: Status): string {
  return [
    statusLabels[value],
    ...(closedDate === undefined ? [] : [`since ${closedDate}`]),
    ...(reopenDate === undefined ? [] : [`reopens ${reopenDate}`]),
  ].join(', ')
}

function describeHours(hours: OpeningHours): Html {
  const dates = specialRules(hours)
  const lines = (rules: readonly string[]) => rules.map(rule => html`<div>${rule}</div>`)
  const special = html`<details><summary>${formatCount(dates.length, 'special day')}</summary>${lines(dates)}</details>`
  return html`${lines(weeklyRules(hours))}${dates.length > 0 && special}`
}

function describeAddress(address: NonNullable<Location['addresses']>[number]): string {
  if (address.formatted !== undefined) return address.formatted
  const { streetAddress, streetAddress2, postalCode, city, state, countryName, countryCode } = address
  const town = [postalCode, city].filter(Boolean).join(' ')
  return [streetAddress, streetAddress2, town, state, countryName ?? countryCode].filter(Boolean).join(', ')
}
