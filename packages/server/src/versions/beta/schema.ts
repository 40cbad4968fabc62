import { dateTime, type TObject, type TSchema, Type } from '../../kit/json-schema.ts'
import { number, type VersionSchemas } from '../primitives/schema.ts'

/** Returns the schemas of beta: the schemas of the stable version plus the members under test. */
export const createBetaSchemas = ({ components, responses }: VersionSchemas): VersionSchemas => ({
  components: {
    ...components,
    ...addMembers(components, 'Location', { last_updated_ts: dateTime('Time of the last change of the record.') }),
    ...addMembers(components, 'SearchResult', { score }),
    ...addMembers(components, 'CatalogSearchResult', { score }),
  },
  responses,
})

const score = number('Match score; higher is better. Comparable only within one response.')

const addMembers = (components: VersionSchemas['components'], name: string, members: Record<string, TSchema>) => {
  const { properties, ...rest } = components[name] as TObject
  const required = [...(rest.required ?? []), ...Object.keys(members)]
  return { [name]: { ...Type.Object({ ...properties, ...members }), ...rest, required } as TSchema }
}
