import type { ImportFormat, ImportInput } from '../../domain/import.ts'
import { detectUtf16, type Encoding, TextDecoding, toUtf8 } from './encoding.ts'
import { type Peeked, peek } from './peek.ts'
import { sniffedBytes, sniffFormat } from './sniff.ts'

/** An input whose format is known. Its text is UTF-8. */
export interface DecodedInput extends Peeked {
  readonly format: ImportFormat
  /** Returns the encoding of the input, as far as it was read; undefined for a binary format. */
  encoding(): Encoding | undefined
}

/** Opens an input and detects its format and encoding. Throws UnreadableInput. */
export async function openDecoded(input: ImportInput, forced: ImportFormat | undefined): Promise<DecodedInput> {
  const bytes = await peek(input.chunks(), sniffedBytes)
  const utf16 = detectUtf16(bytes.head)
  const text = utf16 === undefined ? bytes : await peek(toUtf8(bytes.chunks, utf16), sniffedBytes)
  const format = sniffFormat(input.name, text.head, text.isComplete, forced)
  if (format === 'parquet' || format === 'osm-pbf') return { ...text, format, encoding: () => undefined }
  if (format !== 'csv' || utf16 !== undefined) return { ...text, format, encoding: () => utf16 ?? 'UTF-8' }
  const decoding = new TextDecoding()
  const decoded = await peek(decoding.decode(text.chunks), sniffedBytes)
  return { ...decoded, format, encoding: () => decoding.encoding }
}
