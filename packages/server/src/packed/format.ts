import type { StoredArray } from '../kit/stored-arrays.ts'

/** Version of the file format; files of other versions are rebuilt. */
export const packedFormat = 1

export const magic = 'PERIPACK'

/**
 * Size of the end of the file: length and CRC-32 of the header, version of the format (unsigned 32-bit little-endian
 * each), magic (8 bytes).
 */
export const trailerBytes = 20

/** The forms of a body, in the order in which a file has them. A body without a coded form has an empty one. */
export const bodyForms = ['identity', 'gzip', 'br'] as const
export type BodyForm = (typeof bodyForms)[number]

/** Length of a validator, in ASCII characters: a SHA-1 as base64url between quotes. */
export const etagLength = 29

/** The origin of a packed file: bodies are only valid for it. */
export interface PackedOrigin {
  /** Name of the version of the partner API. */
  readonly version: string
  /** Address of the service, which bodies contain in links. */
  readonly publicUrl: string
  /** Release whose presenters have made the bodies. */
  readonly release: string
}

/** A packed file as its header describes it. */
export interface PackedFacts extends PackedOrigin {
  /** Id of the data store. */
  readonly storeId: string
  /** The position in the store's history at which the file was built. */
  readonly position: { readonly seq: number; readonly mark: string }
  readonly places: number
}

/** The arrays by place, ascending by id; `lengths` and `checksums` have an item for each form. */
export const packedArrayTypes = {
  ids: BigUint64Array,
  /** Position of the first form in the file. */
  starts: Float64Array,
  /** Bytes of each form. */
  lengths: Uint32Array,
  /** CRC-32 of each form. */
  checksums: Uint32Array,
  etags: Uint8Array,
}
export type PackedArrayName = keyof typeof packedArrayTypes
export type PackedArrays = { readonly [Name in PackedArrayName]: InstanceType<(typeof packedArrayTypes)[Name]> }

/**
 * Header of a packed file, as JSON. The file consists of the magic, the bodies, the arrays in this order, the header
 * and the trailer, so that a build can write it in one pass.
 */
export interface PackedHeader {
  readonly facts: PackedFacts
  /** Bytes of all bodies, and their CRC-32. */
  readonly bodies: { readonly bytes: number; readonly crc: number }
  readonly arrays: readonly StoredArray<PackedArrayName>[]
}
