/** Reads a parameter of a page; undefined if it is missing or wrong. */
export type ReadParameter = <T>(name: string, parse: (value: string) => T | undefined) => T | undefined

/** Returns a reader of the parameters of a page, which adds the names of those with wrong values to `ignored`. */
export const createParameterReader =
  (parameters: URLSearchParams, ignored: string[]): ReadParameter =>
  (name, parse) => {
    const value = parameters.get(name)?.trim() ?? ''
    if (value === '') return undefined
    const parsed = parse(value)
    if (parsed === undefined) ignored.push(name)
    return parsed
  }
