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

/** Reads nested `categories`, or finds the flat `category` in the category tree. The first one decides the branch. */
export function readCategories(fields: FieldReader): Category[] {
  if (fields.has('categories')) {
    const nested = fields.objects('categories', nestedCategory)
    if (nested) return nested
  }
  return [treeCategory(fields, toCategoryId(fields.text('category') ?? 'other'))]
}

function nestedCategory(item: FieldReader): Category | undefined {
  const id = item.text('id')
  const displayName = item.text('display_name')
  const hierarchy = item.texts('hierarchy')
  if (id === undefined && displayName === undefined) return undefined
  const branch = item.choice('top_level_category', topLevelCategories)
  const derived = treeCategory(item, toCategoryId(id ?? displayName!), branch)
  return {
    id: id ?? derived.id,
    displayName: displayName ?? derived.displayName,
    ...(hierarchy && { hierarchy }),
    topLevelCategory: derived.topLevelCategory,
  }
}

function treeCategory(fields: FieldReader, id: string, branch = findTopLevelCategory(id)): Category {
  if (branch === undefined) fields.note('unknown_category')
  const top: TopLevelCategory = branch ?? 'OTHER'
  const displayName = categoryDisplayName(id)
  return { id, displayName, hierarchy: [topLevelNames[top], displayName], topLevelCategory: top }
}

/** Flat fields that become attributes, and the separators of their texts. */
const flatAttributes = [
  { field: 'cuisine', type: 'Cuisine', separator: /[;,]/ },
  { field: 'tags', type: 'Tag', separator: /;/ },
  { field: 'subcategories', type: 'Subcategory', separator: /;/ },
] as const

/** Reads nested `attributes`, or makes attributes of `cuisine`, `tags` and `subcategories`. */
export function readAttributes(fields: FieldReader): Attribute[] | undefined {
  if (fields.has('attributes')) return fields.objects('attributes', nestedAttribute)
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

function nestedAttribute(item: FieldReader): Attribute | undefined {
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
