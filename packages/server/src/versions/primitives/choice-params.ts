import { Type } from '../../kit/json-schema.ts'
import { createSingle, InvalidParameter, type Param, type ParamDocs, splitLists } from './param.ts'

/**
 * Creates a parameter for one of the given values; case is ignored. Each of `synonyms` represents one of the values;
 * the schema leaves them out, and the description names them.
 */
export function choice<const T extends readonly string[]>(
  values: T,
  options: ParamDocs & { synonyms?: Readonly<Record<string, T[number]>> },
): Param<T[number] | undefined> {
  const { synonyms = {} } = options
  return createSingle(options, Type.Enum([...values], { type: 'string' }), text => {
    const synonym = Object.keys(synonyms).find(name => name.toLowerCase() === text.trim().toLowerCase())
    return synonym === undefined ? parseChoice(values, text) : synonyms[synonym]!
  })
}

function parseChoice<const T extends readonly string[]>(values: T, text: string): T[number] | InvalidParameter {
  const found = values.find(value => value.toLowerCase() === text.trim().toLowerCase())
  return found ?? new InvalidParameter(`must be one of ${values.join(', ')}`, text)
}

/** Creates a parameter for any number of the given values, repeated or as a comma-separated list; case is ignored. */
export function choices<const T extends readonly string[]>(values: T, options: ParamDocs): Param<readonly T[number][]> {
  return {
    schema: Type.Array(Type.Enum([...values], { type: 'string' }), { minItems: 1 }),
    description: options.description,
    aliases: options.aliases ?? [],
    required: false,
    read: sent => {
      const read = new Set<T[number]>()
      for (const part of splitLists(sent)) {
        const choice = parseChoice(values, part)
        if (choice instanceof InvalidParameter) return choice
        read.add(choice)
      }
      return [...read]
    },
  }
}
