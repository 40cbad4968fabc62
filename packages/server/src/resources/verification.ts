import Type from 'typebox'
import { closed, type Resource } from './schema.ts'

export const verificationSchema = closed({ ok: Type.Boolean(), problems: Type.Array(Type.String()) })

/** Presents the problems that a verification has found. */
export const verificationResource = ({
  problems,
}: {
  readonly problems: readonly string[]
}): Resource<typeof verificationSchema> => ({ ok: problems.length === 0, problems: [...problems] })
