import Type from 'typebox'
import type { BackedUp, Restored } from '../domain/backup.ts'
import { closed, count, type Resource } from './schema.ts'

export const backupSchema = closed({
  folder: Type.String(),
  files: count(),
  bytes: count(),
  problems: Type.Array(Type.String()),
  seconds: Type.Number({ minimum: 0 }),
})

/** Presents a finished backup. */
export const backupResource = (
  { folder, files, bytes, problems }: BackedUp,
  seconds: number,
): Resource<typeof backupSchema> => ({ folder, files, bytes, problems: [...problems], seconds })

export const restoredSchema = closed({
  data: Type.String(),
  files: count(),
  bytes: count(),
  moved_aside: Type.Optional(Type.String()),
})

/** Presents a restored data folder. */
export const restoredResource = ({
  data,
  files,
  bytes,
  previousFolder,
}: Restored): Resource<typeof restoredSchema> => ({
  data,
  files,
  bytes,
  ...(previousFolder !== undefined && { moved_aside: previousFolder }),
})
