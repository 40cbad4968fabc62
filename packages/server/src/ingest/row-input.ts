import type { ImportInput, InputRows } from '../domain/import.ts'

/** Returns an input of rows instead of bytes. */
export const rowInput = (name: string, rows: InputRows): ImportInput => ({
  name,
  path: undefined,
  totalBytes: undefined,
  readBytes: () => 0,
  addReadBytes: () => {},
  chunks: async function* () {},
  rows,
})
