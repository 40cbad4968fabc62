import Type from 'typebox'
import { closedObject, type Resource } from './schema.ts'

export const verificationSchema = closedObject({ ok: Type.Boolean(), problems: Type.Array(Type.String()) })

/** Presents the problems that a verification has found. */
export const verificationResource = ({
  problems,
}: {
  readonly problems: readonly string[]
}): Resource<typeof verificationSchema> => ({ ok: problems.length === 0, problems: [...problems] })
