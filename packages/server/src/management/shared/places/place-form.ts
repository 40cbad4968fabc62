import { knownCategories } from '../../../domain/category.ts'
import { type LocalText, type Location, priceLevels, statusValues } from '../../../domain/location.ts'
import type { OverrideField } from '../../../domain/override.ts'
import { type Html, html } from '../../../web/html.ts'
import type { Field } from '../../../web/parts/form.ts'
import type { FormValues } from '../../pages/page-route.ts'
import { formatHours } from './hours-text.ts'
import { statusLabels } from './place-words.ts'

/** The inputs for the value of a field: filled from the stored location, and read into the form of imported records. */
interface ValueForm {
  fields(location: Location): readonly Field[]
  read(form: FormValues, location: Location): unknown
}

const optional = { required: false } as const

/** Returns the inputs for a field, filled with the stored value. */
export const valueFields = (field: OverrideField, location: Location): readonly Field[] =>
  valueForms[field].fields(location)

/** Returns the value that was sent, in the form of imported records. */
export const readValue = (field: OverrideField, form: FormValues, location: Location): unknown =>
  valueForms[field].read(form, location)

/** Returns inputs with the values that were sent in place of the stored ones. */
export const withSent = (fields: readonly Field[], form: FormValues): readonly Field[] =>
  fields.map(field => ({ ...field, value: form.text(field.name) }))

const valueForms: Readonly<Record<OverrideField, ValueForm>> = {
  names: {
    fields: ({ names }) => [
      {
        name: 'names',
        label: 'Names',
        type: 'textarea',
        value: names.map(formatName).join('\n'),
        hint: html`One name per line, the primary one first; its language in brackets: <code>Dawn Museum [en]</code>`,
      },
    ],
    read: form =>
      linesOf(form.text('names')).map((line, i) => ({ ...parseName(line), ...(i === 0 && { primary: true }) })),
  },
  status: {
    fields: ({ status }) => [
      {
        name: 'status',
        label: 'Status',
        type: 'select',
        value: status?.value ?? 'OPEN',
        choices: statusValues.map(value => ({ value, label: statusLabels[value] })),
      },
      { name: 'closed_date', label: 'Closed since', type: 'date', value: status?.closedDate, ...optional },
      { name: 'reopen_date', label: 'Reopens on', type: 'date', value: status?.reopenDate, ...optional },
    ],
    read: form => ({ value: form.text('status'), ...textsOf(form, ['closed_date', 'reopen_date']) }),
  },
  coordinates: {
    fields: ({ coordinates: { latitude, longitude } }) => [
      { name: 'latitude', label: 'Latitude', value: String(latitude), hint: 'In degrees; north is positive.' },
      { name: 'longitude', label: 'Longitude', value: String(longitude), hint: 'In degrees; east is positive.' },
    ],
    read: form => `${form.text('latitude')},${form.text('longitude')}`,
  },
  category: {
    fields: ({ categories }) => [
      {
        name: 'category',
        label: 'Categories',
        value: categories.map(({ id }) => id).join(', '),
        hint: 'One or several, the main one first: hotel, museum, geo:city.',
        attributes: html` list="categories"`,
      },
    ],
    read: form => {
      const ids = form
        .text('category')
        .split(',')
        .map(id => id.trim())
        .filter(Boolean)
      return ids.length > 1 ? ids.map(id => ({ id })) : ids[0]
    },
  },
  address: {
    fields: ({ addresses: [address = {}] = [] }) => [
      { name: 'street_address', label: 'Street and number', value: address.streetAddress, ...optional },
      { name: 'street_address2', label: 'Second line', value: address.streetAddress2, ...optional },
      { name: 'postal_code', label: 'Postal code', value: address.postalCode, ...optional },
      { name: 'city', label: 'City', value: address.city, ...optional },
      { name: 'state', label: 'State or province', value: address.state, ...optional },
      { name: 'country_code', label: 'Country', value: address.countryCode, hint: 'Two letters: ES.', ...optional },
      {
        name: 'formatted',
        label: 'As written on a letter',
        value: address.formatted,
        ...optional,
        hint: 'In one line. Left empty, only the parts above are served.',
      },
    ],
    read: (form, { addresses }) => {
      const texts = textsOf(form, addressNames)
      const language = addresses?.[0]?.language
      return Object.keys(texts).length > 0 ? { ...texts, ...(language !== undefined && { language }) } : undefined
    },
  },
  phones: {
    fields: ({ phoneNumbers = [] }) => [
      {
        name: 'phones',
        label: 'Phone numbers',
        type: 'textarea',
        value: phoneNumbers.map(({ value }) => value).join('\n'),
        hint: 'One number per line, with the code of the country: +34 910 000 001.',
      },
    ],
    read: (form, { phoneNumbers = [] }) =>
      linesOf(form.text('phones')).map(value => phoneNumbers.find(one => one.value === value) ?? { value }),
  },
  urls: {
    fields: ({ urls }) => [
      { name: 'official', label: 'Website', type: 'url', value: urls?.official, ...optional },
      { name: 'menu', label: 'Menu', type: 'url', value: urls?.menu, ...optional },
    ],
    read: form => {
      const value = textsOf(form, ['official', 'menu'])
      return Object.keys(value).length > 0 ? value : undefined
    },
  },
  hours: {
    fields: ({ openingHours }) => [
      {
        name: 'hours',
        label: 'Opening hours',
        type: 'textarea',
        value: openingHours && formatHours(openingHours),
        hint: html`In the syntax of OpenStreetMap: <code>Mo-Fr 09:00-18:00; Sa 10:00-14:00; Dec 25 off</code>`,
      },
    ],
    read: form => linesOf(form.text('hours')).join('; '),
  },
  price_level: {
    fields: ({ priceLevel }) => [
      {
        name: 'price_level',
        label: 'Price level',
        type: 'select',
        value: priceLevel ?? 'MODERATE',
        choices: priceLevels.map(value => ({ value, label: value.charAt(0) + value.slice(1).toLowerCase() })),
      },
    ],
    read: form => form.text('price_level'),
  },
}

const addressNames = 'street_address street_address2 postal_code city state country_code formatted'.split(' ')

/** Returns the list of categories that the input for them offers. */
export const categoryList = (): Html =>
  html`<datalist id="categories">${[...knownCategories()].map(id => html`<option value="${id}"></option>`)}</datalist>`

const formatName = ({ value, language }: LocalText): string =>
  language === undefined ? value : `${value} [${language}]`

function parseName(line: string): LocalText {
  const [, value, language] = /^(.*\S)\s*\[([A-Za-z0-9-]+)\]$/.exec(line) ?? []
  return value === undefined || language === undefined ? { value: line } : { language, value }
}

const linesOf = (text: string): readonly string[] =>
  text
    .split('\n')
    .map(line => line.trim())
    .filter(Boolean)

/** Returns the values that were sent, without empty ones. */
const textsOf = (form: FormValues, names: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(names.map(name => [name, form.text(name)] as const).filter(([, value]) => value !== ''))
