/** A line of a text file: its bytes without the line end; undefined where it is longer than allowed. */
export interface Line {
  /** From 1. */
  readonly number: number
  readonly bytes: Buffer | undefined
}

export const newline = 0x0a
const carriageReturn = 0x0d

/**
 * Splits bytes into lines at LF or CRLF, at most `maxBytes` each: of a longer line nothing is kept, so that a file
 * without line ends cannot fill the memory. A last line without an end counts. Another `separator` splits at that byte.
 */
export async function* splitLines(
  chunks: AsyncIterable<Buffer>,
  maxBytes: number,
  separator = newline,
): AsyncGenerator<Line> {
  let number = 0
  let held: Buffer[] = []
  let heldBytes = 0
  const take = (part: Buffer): Line => {
    number++
    const bytes = heldBytes + part.length
    const line = bytes > maxBytes ? undefined : held.length === 0 ? part : Buffer.concat([...held, part], bytes)
    held = []
    heldBytes = 0
    return { number, bytes: line && withoutCarriageReturn(line) }
  }
  for await (const chunk of chunks) {
    let from = 0
    for (let at = chunk.indexOf(separator); at !== -1; at = chunk.indexOf(separator, from)) {
      yield take(chunk.subarray(from, at))
      from = at + 1
    }
    const rest = chunk.subarray(from)
    heldBytes += rest.length
    if (heldBytes > maxBytes) held = []
    else if (rest.length > 0) held.push(rest)
  }
  if (heldBytes > 0) yield take(Buffer.alloc(0))
}

const withoutCarriageReturn = (line: Buffer): Buffer => (line.at(-1) === carriageReturn ? line.subarray(0, -1) : line)
