import type { FolderProblem } from '../domain/data-folder.ts'
import { Type } from '../kit/json-schema.ts'
import { closedObject, type Resource } from './schema.ts'

export const verificationSchema = closedObject({
  ok: Type.Boolean(),
  problems: Type.Array(closedObject({ file: Type.String(), problem: Type.String() })),
})

/** Presents the problems that a verification has found. */
export const verificationResource = ({
  problems,
}: {
  readonly problems: readonly FolderProblem[]
}): Resource<typeof verificationSchema> => ({
  ok: problems.length === 0,
  problems: problems.map(({ file, problem }) => ({ file, problem })),
})
