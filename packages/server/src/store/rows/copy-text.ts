/** A value of a column in the text format of COPY. */
export type CopyValue = string | number | bigint | boolean | null

const special = /[\\\n\r\t]/
const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** Returns a row in the text format of COPY. */
export const toCopyRow = (values: readonly CopyValue[]): string => `${values.map(toField).join('\t')}\n`

function toField(value: CopyValue): string {
  if (value === null) return '\\N'
  const text = String(value)
  return special.test(text) ? text.replaceAll(/[\\\n\r\t]/g, char => escapes[char]!) : text
}

/** Returns a text as PostgreSQL can store it: it has no character for NUL. */
export const storable = <T extends string | null>(text: T): T => (text?.replaceAll('\0', '\ufffd') ?? null) as T

/** Number of characters of a piece that is sent at once. */
const pieceChars = 65_536

/** Yields rows in pieces, so that each row is not a write of its own. */
export function* inPieces(rows: Iterable<readonly CopyValue[]>): Generator<string> {
  let piece = ''
  for (const row of rows) {
    piece += toCopyRow(row)
    if (piece.length < pieceChars) continue
    yield piece
    piece = ''
  }
  if (piece !== '') yield piece
}
