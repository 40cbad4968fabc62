/** A field of two JSON texts, and its value in each as text; undefined if one lacks it. */
export interface FieldPair {
  /** Path of the field, as in `names[0].text`. */
  readonly path: string
  readonly before: string | undefined
  readonly after: string | undefined
}

/** Returns the fields of two JSON texts in the order of their paths. */
export function pairFields(before: string, after: string): FieldPair[] {
  const [old, now] = [flatten(before), flatten(after)]
  return [...new Set([...old.keys(), ...now.keys()])]
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
    .map(path => ({ path, before: old.get(path), after: now.get(path) }))
}

function flatten(text: string): Map<string, string> {
  const fields = new Map<string, string>()
  const add = (value: unknown, path: string): void => {
    const members = value instanceof Digits ? [] : Object.entries(Object(value) === value ? (value as object) : {})
    for (const [name, member] of members)
      add(member, Array.isArray(value) ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`)
    if (members.length === 0) fields.set(path, value instanceof Digits ? value.text : JSON.stringify(value))
  }
  add(parse(text), '')
  return fields
}

/** A number as it was sent: ids of 64 bits would lose digits. */
class Digits {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Reviver = (name: string, value: unknown, context?: { readonly source?: string }) => unknown

function parse(text: string): unknown {
  const keepDigits: Reviver = (_, value, context) =>
    typeof value === 'number' ? new Digits(context?.source ?? String(value)) : value
  return JSON.parse(text, keepDigits as (name: string, value: unknown) => unknown)
}
