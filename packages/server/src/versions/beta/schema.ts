import Type, { type TObject, type TSchema } from 'typebox'
import { dateTime, number, type VersionSchemas } from '../primitives/schema.ts'

/** What beta answers: the stable version's schemas, and what is under test. */
export const betaSchemas = ({ components, answers }: VersionSchemas): VersionSchemas => ({
  components: {
    ...components,
    ...withMembers(components, 'Location', { last_updated_ts: dateTime('When the record last changed.') }),
    ...withMembers(components, 'SearchResult', { score }),
    ...withMembers(components, 'CatalogSearchResult', { score }),
  },
  answers,
})

const score = number('How well it matches; comparable within one answer only.')

const withMembers = (components: VersionSchemas['components'], name: string, members: Record<string, TSchema>) => {
  const { properties, ...rest } = components[name] as TObject
  const required = [...(rest.required ?? []), ...Object.keys(members)]
  return { [name]: { ...Type.Object({ ...properties, ...members }), ...rest, required } as TSchema }
}
