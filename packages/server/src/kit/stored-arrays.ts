import { checksum, readAll } from './draft-file.ts'

/** An array in a file: its name, size in bytes and CRC-32. */
export interface StoredArray<Name extends string> {
  readonly name: Name
  readonly bytes: number
  readonly crc: number
}

/** The constructor of the typed array that each name has. */
export type ArrayTypes = Readonly<Record<string, new (memory: SharedArrayBuffer) => ArrayBufferView>>
type Arrays<Types extends ArrayTypes> = { readonly [Name in keyof Types]: InstanceType<Types[Name]> }

/** Describes arrays as the header of their file lists them. */
export const describeArrays = <Name extends string>(
  parts: readonly { readonly name: Name; readonly bytes: Uint8Array }[],
): StoredArray<Name>[] => parts.map(({ name, bytes }) => ({ name, bytes: bytes.length, crc: checksum(bytes) }))

/**
 * Reads arrays that follow one another in a file, in the byte order of the machine, into shared memory. Returns the
 * reason, as the end of a sentence, if one of them is unknown, incomplete or damaged, or if one is missing.
 */
export function readArrays<Types extends ArrayTypes>(
  file: number,
  start: number,
  stored: readonly StoredArray<keyof Types & string>[],
  types: Types,
): { readonly arrays: Arrays<Types> } | { readonly reason: string } {
  const arrays: Record<string, ArrayBufferView> = {}
  let at = start
  for (const { name, bytes, crc } of stored) {
    const Type = types[name]
    if (Type === undefined) return { reason: `the array ${name} is unknown` }
    const memory = new SharedArrayBuffer(bytes)
    const view = new Uint8Array(memory)
    if (readAll(file, view, at) < bytes || checksum(view) !== crc) return { reason: `the array ${name} is damaged` }
    arrays[name] = new Type(memory)
    at += bytes
  }
  const missing = Object.keys(types).find(name => !(name in arrays))
  return missing === undefined ? { arrays: arrays as Arrays<Types> } : { reason: `the array ${missing} is missing` }
}
