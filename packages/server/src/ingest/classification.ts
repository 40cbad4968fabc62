import {
  categoryDisplayName,
  findParentCategory,
  findTopLevelCategory,
  type TopLevelCategory,
  toCategoryId,
  topLevelCategories,
  topLevelNames,
} from '../domain/category.ts'
import type { CategoryMap } from '../domain/category-map.ts'
import type { Attribute, Category } from '../domain/location.ts'
import type { FieldReader } from './field-reader.ts'

/**
 * Reads nested `categories`, or looks up the flat `category` in the category tree. The first category determines the
 * branch. A category that `map` assigns to one of the tree is followed by that one.
 */
export function readCategories(fields: FieldReader, map: CategoryMap = new Map()): Category[] {
  const read = (fields.has('categories') && fields.objects('categories', item => readNestedCategory(item, map))) || [
    toTreeCategory(fields, toCategoryId(fields.text('category') ?? 'other'), map),
  ]
  const known = new Set(read.map(({ id }) => id))
  const above = read.map(({ id }) => map.get(toCategoryId(id))).filter(id => id !== undefined && findParentCategory(id))
  return [...read, ...[...new Set(above)].filter(id => !known.has(id!)).map(id => toTreeCategory(fields, id!, map))]
}

function readNestedCategory(item: FieldReader, map: CategoryMap): Category | undefined {
  const id = item.text('id')
  const displayName = item.text('display_name')
  const hierarchy = item.texts('hierarchy')
  if (id === undefined && displayName === undefined) return undefined
  const branch = item.choice('top_level_category', topLevelCategories)
  const derived = toTreeCategory(item, toCategoryId(id ?? displayName!), map, branch)
  return {
    id: id ?? derived.id,
    displayName: displayName ?? derived.displayName,
    ...(hierarchy && { hierarchy }),
    topLevelCategory: derived.topLevelCategory,
  }
}

function toTreeCategory(
  fields: FieldReader,
  id: string,
  map: CategoryMap,
  branch = findTopLevelCategory(id) ?? findMappedBranch(map.get(id)),
): Category {
  if (branch === undefined) fields.unknown('category', id)
  const top: TopLevelCategory = branch ?? 'OTHER'
  const displayName = categoryDisplayName(id)
  return { id, displayName, hierarchy: [topLevelNames[top], displayName], topLevelCategory: top }
}

/** Returns the top-level category of a value of the map. */
const findMappedBranch = (to: string | undefined): TopLevelCategory | undefined =>
  to === undefined ? undefined : (topLevelCategories.find(top => top === to) ?? findTopLevelCategory(to))

/** Flat fields that are converted to attributes, and the separators between their values. */
const flatAttributes = [
  { field: 'cuisine', type: 'Cuisine', separator: /[;,]/ },
  { field: 'tags', type: 'Tag', separator: /;/ },
  { field: 'subcategories', type: 'Subcategory', separator: /;/ },
] as const

/** Reads nested `attributes`, or creates attributes from `cuisine`, `tags` and `subcategories`. */
export function readAttributes(fields: FieldReader): Attribute[] | undefined {
  if (fields.has('attributes')) return fields.objects('attributes', readNestedAttribute)
  const attributes = new Map<string, Attribute>()
  for (const { field, type, separator } of flatAttributes) {
    const names = fields.texts(field)?.flatMap(text => text.split(separator).map(part => part.trim())) ?? []
    const typeId = type.toLowerCase()
    for (const name of names.filter(part => part !== '')) {
      const id = `${typeId}.${toCategoryId(name)}`
      attributes.set(id, { id, name, type, typeId })
    }
  }
  return attributes.size > 0 ? [...attributes.values()] : undefined
}

function readNestedAttribute(item: FieldReader): Attribute | undefined {
  const id = item.text('id')
  const name = item.text('name')
  const type = item.text('type')
  const typeId = item.text('type_id')
  if (name === undefined) return undefined
  return {
    id: id ?? toCategoryId(name),
    name,
    ...(type !== undefined && { type }),
    ...(typeId !== undefined && { typeId }),
  }
}
