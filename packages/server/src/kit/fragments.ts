/** Pieces of texts that are searched for in binary data. */
export interface Fragments {
  /** Returns the pieces that occur in `bytes`, as Latin-1 strings. */
  findIn(bytes: Uint8Array): Set<string>
  /** Number of distinct pieces. */
  readonly size: number
}

/** Length of a piece in bytes. A text is split into consecutive pieces; a shorter text is one piece. */
const pieceBytes = 16
/** Minimum length of a text in bytes: shorter texts would occur by chance. */
const minBytes = 8
/** Required overlap of consecutive chunks in bytes, so that a piece across their boundary is found. */
export const fragmentOverlap = pieceBytes - 1

const filterBits = 20
/** Hashes four bytes to an index of the filter (Knuth's multiplicative hashing). */
const hashWord = (word: number): number => Math.imul(word, 0x9e3779b1) >>> (32 - filterBits)

/**
 * Splits texts into pieces. A search takes one pass over the bytes, with a filter on the first four bytes of each
 * piece.
 */
export function createFragments(texts: Iterable<string | Buffer>): Fragments {
  const pieces = new Map<string, Buffer>()
  for (const text of texts) {
    const bytes = typeof text === 'string' ? Buffer.from(text) : text
    if (bytes.length < minBytes) continue
    const length = Math.min(pieceBytes, bytes.length)
    for (let at = 0; at + length <= bytes.length; at += length) {
      const piece = bytes.subarray(at, at + length)
      pieces.set(piece.toString('latin1'), piece)
    }
  }
  const filter = new Uint8Array(1 << filterBits)
  const byWord = new Map<number, [string, Buffer][]>()
  for (const [name, piece] of pieces) {
    const word = piece.readUInt32BE(0) | 0
    filter[hashWord(word)] = 1
    byWord.set(word, [...(byWord.get(word) ?? []), [name, piece]])
  }
  return {
    size: pieces.size,
    findIn: bytes => {
      const found = new Set<string>()
      let word = 0
      for (let i = 0; i < bytes.length; i++) {
        word = (word << 8) | bytes[i]!
        if (filter[hashWord(word)] === 0 || i < 3) continue
        for (const [name, piece] of byWord.get(word) ?? [])
          if (piece.equals(bytes.subarray(i - 3, i - 3 + piece.length))) found.add(name)
      }
      return found
    },
  }
}

/**
 * Returns the texts in a stored record, escaped as in JSON. A record that is not a JSON object is returned unchanged.
 */
export function extractTexts(record: string): string[] {
  if (!record.startsWith('{')) return [record]
  const texts: string[] = []
  JSON.parse(record, (_, value: unknown) => {
    if (typeof value === 'string') texts.push(JSON.stringify(value).slice(1, -1))
    return value
  })
  return texts
}
