/** A line of a text file. */
export interface InputLine {
  /** Line number, from 1. */
  readonly number: number
  /** Content without the line end; undefined if the line is too long. */
  readonly bytes: Buffer | undefined
}

export const newline = 0x0a
const carriageReturn = 0x0d

/**
 * Splits bytes into lines at LF or CRLF, or at another `separator`. The content of lines over `maxBytes` is dropped, so
 * that a file without line ends cannot exhaust the memory. The last line may lack its line end.
 */
export async function* splitLines(
  chunks: AsyncIterable<Buffer>,
  maxBytes: number,
  separator = newline,
): AsyncGenerator<InputLine> {
  let number = 0
  let held: Buffer[] = []
  let heldBytes = 0
  const endLine = (part: Buffer): InputLine => {
    number++
    const bytes = heldBytes + part.length
    const line = bytes > maxBytes ? undefined : held.length === 0 ? part : Buffer.concat([...held, part], bytes)
    held = []
    heldBytes = 0
    return { number, bytes: line && stripCarriageReturn(line) }
  }
  for await (const chunk of chunks) {
    let from = 0
    for (let at = chunk.indexOf(separator); at !== -1; at = chunk.indexOf(separator, from)) {
      yield endLine(chunk.subarray(from, at))
      from = at + 1
    }
    const rest = chunk.subarray(from)
    heldBytes += rest.length
    if (heldBytes > maxBytes) held = []
    else if (rest.length > 0) held.push(rest)
  }
  if (heldBytes > 0) yield endLine(Buffer.alloc(0))
}

const stripCarriageReturn = (line: Buffer): Buffer => (line.at(-1) === carriageReturn ? line.subarray(0, -1) : line)
