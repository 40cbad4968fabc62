/**
 * Layout of the body of a batch of rows: a head, rows of equal width, and lines of records (record.ts), each ending
 * with `\n`. A row has the id, time, duration and mark of a call; in everything else the call equals the record of a
 * line, which many rows share. A call that does not fit in a row has a line of its own. All numbers are little-endian.
 */

/** Head: number of rows (u32), and the time of the first row in milliseconds since 1970 (f64). */
export const headBytes = 12
export const rowCountAt = 0
export const baseTimeAt = 4

/**
 * Row: request id (UUID), number of its line (u16), milliseconds after the first row (u16), duration in microseconds
 * (u32), `tatUs` of its mark (f64).
 */
export const callRowBytes = 32
export const lineAt = 16
export const timeAt = 18
export const durationAt = 20
export const tatAt = 24

/** Duration of a row whose line is the call itself. */
export const ownLine = 0xffff_ffff
export const maxLines = 0xffff
export const maxTimeMs = 0xffff
