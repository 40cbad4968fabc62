import { maskSecrets } from '../../kit/mask-secrets.ts'
import { findNearest } from '../../kit/nearest-name.ts'
import type { ParamSet, RawQuery } from './param.ts'

/** A parameter that an operation does not have, and the most similar name that it has, if any. */
export interface UnknownName {
  /** Cut to 60 characters, without secrets. */
  readonly name: string
  readonly suggestion?: string
}

/** Names that every operation takes in addition to its own. */
const commonNames = ['version', 'api-version', 'strict', 'pretty']

/** Maximum number of unknown names in a header or a problem. */
const maxListed = 10
const maxNameLength = 60

/** The names that an operation takes, and the suggestions for unknown ones that were computed before. */
interface KnownNames {
  readonly names: ReadonlySet<string>
  readonly suggestions: Map<string, string | undefined>
}

const knownBySet = new WeakMap<ParamSet, KnownNames>()

function getKnownNames(set: ParamSet): KnownNames {
  const found = knownBySet.get(set)
  if (found) return found
  const names = new Set([...Object.entries(set).flatMap(([name, { aliases }]) => [name, ...aliases]), ...commonNames])
  const known = { names, suggestions: new Map() }
  knownBySet.set(set, known)
  return known
}

/** Returns true for a name that the operation takes. */
export const isKnownName = (set: ParamSet, name: string): boolean => getKnownNames(set).names.has(name)

/**
 * Returns the names in a query that the operation does not take, up to one more than are listed: a query may have
 * thousands. A parameter without a name is left out.
 */
export function findUnknownNames(set: ParamSet, query: RawQuery): readonly string[] {
  const { names } = getKnownNames(set)
  let unknown: string[] | undefined
  for (const name in query) {
    if (names.has(name) || name === '') continue
    unknown ??= []
    if (unknown.push(name) > maxListed) break
  }
  return unknown ?? []
}

/** Describes the unknown names to list. */
export const describeUnknownNames = (set: ParamSet, names: readonly string[]): readonly UnknownName[] =>
  names.slice(0, maxListed).map(sent => {
    const name = maskSecrets(sent)
    const suggestion = suggest(getKnownNames(set), name)
    return { name: shorten(name), ...(suggestion !== undefined && { suggestion }) }
  })

/**
 * Formats the header `Ignored-Parameters`: `raduis (radius?), colour`. Names are percent-encoded, so that a
 * comma or a parenthesis is never part of one; `...` is the last item if there are more. Undefined without unknown
 * names.
 */
export function formatIgnoredParameters(set: ParamSet, query: RawQuery): string | undefined {
  const names = findUnknownNames(set, query)
  if (names.length === 0) return undefined
  const items = describeUnknownNames(set, names).map(({ name, suggestion }) =>
    suggestion === undefined ? encodeName(name) : `${encodeName(name)} (${encodeName(suggestion)}?)`,
  )
  return [...items, ...(names.length > items.length ? ['...'] : [])].join(', ')
}

const maxSuggestions = 500

/** Returns the most similar known name. Clients send few different unknown names, so each is compared once. */
function suggest({ names, suggestions }: KnownNames, name: string): string | undefined {
  if (name.length > maxNameLength) return undefined
  if (!suggestions.has(name)) {
    if (suggestions.size >= maxSuggestions) suggestions.clear()
    suggestions.set(name, findNearest(name, [...names]))
  }
  return suggestions.get(name)
}

const shorten = (name: string): string => (name.length > maxNameLength ? `${name.slice(0, maxNameLength)}...` : name)

/** Encodes a name for a header, up to a limited length. Brackets stay readable: `ids[]`. */
function encodeName(name: string): string {
  let encoded = ''
  for (const character of name.toWellFormed()) {
    const next = unreserved.test(character) ? character : encodeURIComponent(character).replace(/[!'()*]/, toPercent)
    if (encoded.length + next.length > maxNameLength) return `${encoded}...`
    encoded += next
  }
  return encoded
}

const unreserved = /[\w.~[\]-]/

const toPercent = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`
