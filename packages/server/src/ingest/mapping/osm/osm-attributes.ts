import { toCategoryId } from '../../../domain/category.ts'
import { splitValues, type Tags } from './osm-category.ts'

/** Attributes of tags whose value is yes or similar, by key and value. */
const features: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  wheelchair: {
    yes: 'Wheelchair accessible',
    designated: 'Wheelchair accessible',
    limited: 'Partly wheelchair accessible',
  },
  outdoor_seating: { yes: 'Outdoor seating' },
  internet_access: {
    yes: 'Internet access',
    wlan: 'Wi-Fi',
    wifi: 'Wi-Fi',
    wired: 'Internet access',
    terminal: 'Internet terminal',
  },
  takeaway: { yes: 'Takeaway', only: 'Takeaway' },
  delivery: { yes: 'Delivery', only: 'Delivery' },
}

const typeNames: Readonly<Record<string, string>> = {
  wheelchair: 'Accessibility',
  internet_access: 'Internet access',
  diet: 'Diet',
  cuisine: 'Cuisine',
  stars: 'Stars',
}

/** Returns the attributes of an element in the form of nested records. */
export function readAttributes(tags: Tags): object[] {
  const found: object[] = []
  const add = (typeId: string, value: string, name: string) =>
    found.push({ id: `${typeId}.${toCategoryId(value)}`, name, type: typeNames[typeId] ?? 'Feature', type_id: typeId })
  for (const cuisine of splitValues(tags.cuisine)) add('cuisine', cuisine, cuisine.replaceAll('_', ' '))
  for (const [key, names] of Object.entries(features)) {
    const value = tags[key]
    const name = value === undefined ? undefined : names[value]
    if (name !== undefined) add(key, value!, name)
  }
  for (const [key, value] of Object.entries(tags)) {
    if (!key.startsWith('diet:') || (value !== 'yes' && value !== 'only')) continue
    const diet = key.slice('diet:'.length)
    add('diet', diet, capitalize(diet.replaceAll('_', ' ')))
  }
  // Superior hotels have a letter (`4S`), which a number of stars cannot express.
  if (tags.stars !== undefined && !/^\d(\.\d)?$/.test(tags.stars)) add('stars', tags.stars, tags.stars)
  return found
}

/** Returns the number of stars of `4`, `4S` or `3.5`; undefined for other texts. */
export function readStars(text: string | undefined): number | undefined {
  const stars = /^([0-7](?:\.\d)?)\s*S?\+?$/i.exec(text ?? '')?.[1]
  return stars === undefined ? undefined : Number(stars)
}

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
