import { externalKey, isExternalId, maxExternalIdLength } from '../../domain/external-id.ts'
import { type Id, parseId } from '../../domain/id.ts'
import { Type } from '../../kit/json-schema.ts'
import { createSingle, InvalidParameter, type Param, type ParamDocs, splitLists } from './param.ts'

/** Creates a parameter for an id: a positive 64-bit integer. */
export function id(options: ParamDocs): Param<Id | undefined> {
  return createSingle(options, Type.Integer({ format: 'int64', minimum: 1 }), parseIdParam)
}

/**
 * Creates a parameter for ids, as a comma-separated list, a repeated parameter or both. Duplicates are dropped; at most
 * `maximum` ids may remain.
 */
export function idList(options: ParamDocs & { maximum: number }): Param<readonly Id[]> {
  return {
    schema: Type.Array(Type.Integer({ format: 'int64', minimum: 1 }), { minItems: 1, maxItems: options.maximum }),
    description: options.description,
    aliases: options.aliases ?? [],
    required: true,
    read: values => {
      if (values.length === 0) return new InvalidParameter('is required: one or more ids separated by commas')
      const ids = new Set<Id>()
      for (const part of splitLists(values)) {
        const read = parseIdParam(part)
        if (read instanceof InvalidParameter) return read
        ids.add(read)
      }
      return ids.size <= options.maximum
        ? [...ids]
        : new InvalidParameter(`contains ${ids.size} ids; at most ${options.maximum} are allowed`)
    },
  }
}

const externalIdSchema = Type.String({
  minLength: 3,
  maxLength: maxExternalIdLength,
  pattern: '^[^:\\s][^:]*:.*\\S',
})

function parseExternalId(text: string): string | InvalidParameter {
  const id = text.trim()
  return isExternalId(id) && id.length <= maxExternalIdLength
    ? id
    : new InvalidParameter(
        `must be a source and an id of at most ${maxExternalIdLength} characters, such as wikidata:Q1492`,
        text.slice(0, maxExternalIdLength),
      )
}

/** Creates a parameter for an id in another source. */
export const externalId = (options: ParamDocs): Param<string | undefined> =>
  createSingle(options, externalIdSchema, parseExternalId)

/**
 * Creates an optional parameter for ids in other sources, each a repeated parameter, because ids may contain commas.
 * Duplicates are dropped.
 */
export function externalIdList(options: ParamDocs & { maximum: number }): Param<readonly string[]> {
  const { description, aliases = [], maximum } = options
  return {
    schema: Type.Array(externalIdSchema, { minItems: 1, maxItems: maximum }),
    description,
    aliases,
    required: false,
    isRepeated: true,
    read: values => {
      const ids = new Map<string, string>()
      for (const value of values) {
        const id = parseExternalId(value)
        if (id instanceof InvalidParameter) return id
        if (!ids.has(externalKey(id))) ids.set(externalKey(id), id)
      }
      return ids.size <= maximum
        ? [...ids.values()]
        : new InvalidParameter(`contains ${ids.size} ids; at most ${maximum} are allowed`)
    },
  }
}

/** Creates an optional parameter for ids, by default an empty list; see `idList`. */
export function optionalIds(options: ParamDocs & { maximum: number }): Param<readonly Id[]> {
  const list = idList(options)
  return { ...list, required: false, read: values => (values.length === 0 ? [] : list.read(values)) }
}

const parseIdParam = (text: string): Id | InvalidParameter =>
  parseId(text.trim()) ?? new InvalidParameter('must be an integer from 1 to 9223372036854775807', text)
