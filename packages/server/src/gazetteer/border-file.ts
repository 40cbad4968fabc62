/** Borders of all regions as lines that neighbours share. */
export interface BorderLines {
  /** ISO 3166-2 codes of the regions. */
  readonly codes: readonly string[]
  /** Longitudes and latitudes of the points of all lines, in units of `unitsPerDegree`. */
  readonly xs: Int32Array
  readonly ys: Int32Array
  /** Length lines + 1: start of each line in `xs` and `ys`. */
  readonly lineStart: Uint32Array
  /** Lines of each region, each at most once. */
  readonly linesOf: readonly (readonly number[])[]
}

/** Precision of borders: a thousandth of a degree, about 100 m, is finer than the borders themselves. */
export const unitsPerDegree = 1000

/**
 * Encodes borders: the length of the codes (unsigned 32-bit little-endian), the codes as JSON, then variable-length
 * integers: the number of lines and of points; for each line its number of points, then the differences of their
 * coordinates; for each region its number of lines, then the differences of their numbers.
 */
export function encodeBorders({ codes, xs, ys, lineStart, linesOf }: BorderLines): Buffer {
  const head = Buffer.from(JSON.stringify(codes))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(head.length)
  const bytes: number[] = []
  const write = (value: number) => {
    let rest = value
    for (; rest > 127; rest >>>= 7) bytes.push((rest & 127) | 128)
    bytes.push(rest)
  }
  const writeSigned = (value: number) => write(value < 0 ? -2 * value - 1 : 2 * value)
  const lines = lineStart.length - 1
  write(lines)
  write(xs.length)
  let [x, y] = [0, 0]
  for (let line = 0; line < lines; line++) {
    write(lineStart[line + 1]! - lineStart[line]!)
    for (let at = lineStart[line]!; at < lineStart[line + 1]!; at++) {
      writeSigned(xs[at]! - x)
      writeSigned(ys[at]! - y)
      ;[x, y] = [xs[at]!, ys[at]!]
    }
  }
  for (const own of linesOf) {
    write(own.length)
    let last = 0
    for (const line of own.toSorted((a, b) => a - b)) {
      write(line - last)
      last = line
    }
  }
  return Buffer.concat([length, head, Buffer.from(bytes)])
}

/** Decodes borders; see `encodeBorders`. */
export function decodeBorders(file: Buffer): BorderLines {
  const headEnd = 4 + file.readUInt32LE(0)
  const codes = JSON.parse(file.toString('utf8', 4, headEnd)) as string[]
  let next = headEnd
  const read = () => {
    let value = 0
    for (let shift = 0; ; shift += 7) {
      const byte = file[next++]!
      value |= (byte & 127) << shift
      if (byte < 128) return value
    }
  }
  const readSigned = () => {
    const value = read()
    return value & 1 ? -((value + 1) / 2) : value / 2
  }
  const lineStart = new Uint32Array(read() + 1)
  const points = read()
  const [xs, ys] = [new Int32Array(points), new Int32Array(points)]
  let [at, x, y] = [0, 0, 0]
  for (let line = 0; line + 1 < lineStart.length; line++) {
    for (const end = at + read(); at < end; at++) {
      xs[at] = x += readSigned()
      ys[at] = y += readSigned()
    }
    lineStart[line + 1] = at
  }
  const linesOf = codes.map(() => {
    let last = 0
    return Array.from({ length: read() }, () => (last += read()))
  })
  return { codes, xs, ys, lineStart, linesOf }
}
