import type { DuplicatesFound, FoundPair, MergedDuplicates, PairedPlace } from '../domain/duplicates.ts'
import { matchDecisions, matchFields } from '../domain/match.ts'
import { placeClasses } from '../domain/place-class.ts'
import { count, Type } from '../kit/json-schema.ts'
import { toLongJson } from '../kit/long-json.ts'
import { closedObject, idNumber } from './schema.ts'

const probability = Type.Number({ minimum: 0, maximum: 1 })
const placeSchema = closedObject({ id: idNumber(), source: Type.String(), name: Type.String() })

export const pairSchema = closedObject({
  a: placeSchema,
  b: placeSchema,
  class: Type.Enum(placeClasses),
  decision: Type.Enum(matchDecisions),
  score: probability,
  reasons: Type.Array(
    closedObject({
      field: Type.Enum(matchFields),
      agrees: Type.Boolean(),
      similarity: Type.Optional(probability),
      meters: Type.Optional(Type.Number({ minimum: 0 })),
    }),
  ),
  /** Id of the place that survives a merge of both. */
  keep: Type.Optional(idNumber()),
})

/** A pair of duplicates, as `periplus dedupe --report` writes it. */
export const pairResource = ({ a, b, class: placeClass, decision, score, reasons, keep }: FoundPair) => ({
  a: placeOf(a),
  b: placeOf(b),
  class: placeClass,
  decision,
  score,
  reasons,
  ...(keep !== undefined && { keep: toLongJson(keep) }),
})

const placeOf = ({ id, source, name }: PairedPlace) => ({ id: toLongJson(id), source, name })

export const dedupeSchema = closedObject({
  places: count(),
  classes: Type.Array(
    closedObject({ class: Type.Enum(placeClasses), same: count(), possible: count(), merges: count() }),
  ),
  /** Number of groups that are too large to be merged. */
  oversized: count(),
  samples: Type.Array(pairSchema),
  /** Present after --write. */
  run: Type.Optional(Type.String()),
  merged: Type.Optional(count()),
  skipped: Type.Optional(count()),
})

/** The result of `periplus dedupe`, with samples of the least certain merges. */
export function dedupeResource(
  { places, pairs, oversized }: DuplicatesFound,
  merged: MergedDuplicates | undefined,
  samples: number,
) {
  const classes = placeClasses.map(name => {
    const own = pairs.filter(pair => pair.class === name)
    const same = own.filter(({ decision }) => decision === 'same').length
    return { class: name, same, possible: own.length - same, merges: own.filter(({ keep }) => keep).length }
  })
  return {
    places,
    classes: classes.filter(({ same, possible }) => same + possible > 0),
    oversized,
    samples: pairs
      .filter(({ keep }) => keep !== undefined)
      .toSorted((a, b) => a.score - b.score)
      .slice(0, samples)
      .map(pairResource),
    ...(merged && { run: merged.run, merged: merged.changed, skipped: merged.skipped }),
  }
}
