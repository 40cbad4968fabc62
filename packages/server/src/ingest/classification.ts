import {
  categoryDisplayName,
  findTopLevelCategory,
  type TopLevelCategory,
  toCategoryId,
  topLevelCategories,
  topLevelNames,
} from '../domain/category.ts'
import type { Attribute, Category } from '../domain/location.ts'
import type { FieldReader } from './field-reader.ts'

/**
 * Reads nested `categories`, or looks up the flat `category` in the category tree. The first category determines the
 * branch.
 */
export function readCategories(fields: FieldReader): Category[] {
  if (fields.has('categories')) {
    const nested = fields.objects('categories', readNestedCategory)
    if (nested) return nested
  }
  return [toTreeCategory(fields, toCategoryId(fields.text('category') ?? 'other'))]
}

function readNestedCategory(item: FieldReader): Category | undefined {
  const id = item.text('id')
  const displayName = item.text('display_name')
  const hierarchy = item.texts('hierarchy')
  if (id === undefined && displayName === undefined) return undefined
  const branch = item.choice('top_level_category', topLevelCategories)
  const derived = toTreeCategory(item, toCategoryId(id ?? displayName!), branch)
  return {
    id: id ?? derived.id,
    displayName: displayName ?? derived.displayName,
    ...(hierarchy && { hierarchy }),
    topLevelCategory: derived.topLevelCategory,
  }
}

function toTreeCategory(fields: FieldReader, id: string, branch = findTopLevelCategory(id)): Category {
  if (branch === undefined) fields.note('unknown_category')
  const top: TopLevelCategory = branch ?? 'OTHER'
  const displayName = categoryDisplayName(id)
  return { id, displayName, hierarchy: [topLevelNames[top], displayName], topLevelCategory: top }
}

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
