import { type MatchReason, matchDecisions, matchFields, maxOwnRecords } from '../../domain/match.ts'
import { type TSchema, Type } from '../../kit/json-schema.ts'
import type { Json } from '../version.ts'
import { ownRecordParams } from './requests/params.ts'
import { boolean, listOf, number, object, oneOf, optional, ref } from './schema.ts'

/** Presents the members of a candidate next to `location`; the same in all versions. */
export const matchFieldsOf = ({
  decision,
  score,
  reasons,
}: {
  readonly decision: string
  readonly score: number
  readonly reasons: readonly MatchReason[]
}): Json => ({
  decision,
  score,
  reasons: reasons.map(({ field, agrees, similarity, meters }) => ({ field, agrees, similarity, meters })),
})

const reason = object(
  {
    field: oneOf(matchFields, 'Field of the two records.'),
    agrees: boolean('True if the field speaks for one place, false if it speaks against it.'),
    similarity: optional(number('Similarity of the names, 0 to 1.', { minimum: 0, maximum: 1 })),
    meters: optional(number('Distance of the two points in metres.', { minimum: 0 })),
  },
  'A reason of a score.',
)

const MatchResult = object(
  {
    location: ref('Location'),
    decision: oneOf(matchDecisions, '`same`: the place of the record; `possible`: a person should look at it.'),
    score: number('Probability that both are one place, 0 to 1.', { minimum: 0, maximum: 1 }),
    reasons: listOf(ref('MatchReason'), 'What speaks for and against it, the strongest first.'),
  },
  'A location that may be the place of a record; `location` is the complete location object.',
)

/** A record of a body; its members are the parameters of a match. */
const OwnRecord = object(
  Object.fromEntries(
    Object.entries(ownRecordParams).map(([name, { schema, description, required }]) => {
      const member = { ...schema, description } as TSchema
      return [name, required ? member : optional(member)]
    }),
  ),
  'A record of yours: a name, and at least one of coordinates, address, postal code, city and country, phone, external id.',
)

/** Components of matches. */
export const matchComponents = { MatchResult, MatchReason: reason, OwnRecord }

/** Body of a request with several records. */
export const ownRecords = Type.Array(ref('OwnRecord'), { minItems: 1, maxItems: maxOwnRecords })
