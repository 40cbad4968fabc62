/** Maximum number of names to remember: an object may use data as names. */
const maxNames = 1000

/** Fields of the names of an input's members, found once for each name. */
export class FieldNames {
  readonly #find: (name: string) => string | undefined
  readonly #fields = new Map<string, string | undefined>()

  constructor(find: (name: string) => string | undefined) {
    this.#find = find
  }

  /** Returns the field of a name; undefined if it has none. */
  fieldOf(name: string): string | undefined {
    const field = this.#fields.get(name)
    if (field !== undefined || this.#fields.has(name)) return field
    if (this.#fields.size >= maxNames) return undefined
    const found = this.#find(name)
    this.#fields.set(name, found)
    return found
  }

  /** Returns the names without a field so far, except those of `used`. */
  unused(used: ReadonlySet<string>): string[] {
    return [...this.#fields].flatMap(([name, field]) => (field === undefined && !used.has(name) ? [name] : []))
  }
}
