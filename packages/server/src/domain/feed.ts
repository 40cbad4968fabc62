import type { Id } from './id.ts'

/** Bulk feeds: places, reviews, places of the GEO category, and values of enumerations. */
export const feedNames = ['locations', 'reviews', 'geos', 'enums'] as const
export type FeedName = (typeof feedNames)[number]

/**
 * The version of each feed for a key (SPEC §9.1.8): set when the key is created, changed only by the operator or an
 * admin of the partner.
 */
export type FeedPins = Readonly<Record<FeedName, string>>

/** A change of one pin. */
export interface FeedPinChange {
  readonly keyId: string
  readonly feed: FeedName
  readonly from: string
  readonly to: string
  /** Name of the person who made the change. */
  readonly by: string
  /** Milliseconds since 1970. */
  readonly atMs: number
}

/** Pins all feeds to one version. */
export const pinAllFeeds = (version: string): FeedPins => ({
  locations: version,
  reviews: version,
  geos: version,
  enums: version,
})

/** One feed in one version. Each edition has its own sequence of snapshots. */
export interface Edition {
  readonly feed: FeedName
  readonly version: string
}

export type SnapshotKind = 'full' | 'delta'
export type FileEncoding = 'zstd' | 'gzip'

/** The id of a record: the id of a location or review, or `enum:value` in the feed `enums`. */
export type RecordId = Id | string

/** A delivered file of a snapshot, with records in ascending order of id. */
export interface SnapshotPart {
  readonly name: string
  /** Size of the file as it is stored and served. */
  readonly bytes: number
  readonly records: number
  /** Hexadecimal digest of the file as it is stored and served. */
  readonly sha256: string
  readonly min_id: RecordId
  readonly max_id: RecordId
}

/** A part in compressed NDJSON. */
export interface SnapshotFile extends SnapshotPart {
  readonly encoding: FileEncoding
}

/** The description of a snapshot: the members of manifest.json without its signature. */
export interface Manifest {
  readonly feed: FeedName
  readonly version: string
  readonly schema_url: string
  /** UTC date of creation, number on that date, and version: `2026-11-20.0-v1`. */
  readonly snapshot_id: string
  /** Counts the snapshots of an edition, full and delta, from 1. */
  readonly sequence: number
  readonly kind: SnapshotKind
  /** The last full snapshot before a delta. */
  readonly base_snapshot_id?: string
  /** The last delta before a delta, if one exists. */
  readonly previous_delta?: string
  /** The snapshots that a delta can be applied to. */
  readonly applies_to?: readonly string[]
  /** RFC 3339. */
  readonly created_at: string
  /** Number of lines in the files. */
  readonly records: number
  readonly upserts: number
  readonly tombstones: number
  readonly files: readonly SnapshotFile[]
  /** The same records in Parquet; only in full snapshots, and only where they are configured. */
  readonly parquet_files?: readonly SnapshotPart[]
  /** Number of records of the complete data set after this snapshot. */
  readonly records_of_result: number
  /** Hexadecimal SHA-256 over `id hex(sha256(line))\n` of that data set, in ascending order of id. */
  readonly checksum_of_result: string
  /** Present if the version is deprecated: its dates and successor. */
  readonly deprecation?: {
    readonly deprecated_at: string
    readonly sunset_at?: string
    readonly successor_version?: string
  }
}

/** Returns all delivered files of a snapshot. */
export const listParts = ({ files, parquet_files = [] }: Manifest): readonly (SnapshotFile | SnapshotPart)[] => [
  ...files,
  ...parquet_files,
]

/** The removal of a record, as shown in a tombstone. */
export interface RecordEnding {
  readonly reason: 'removed' | 'merged' | 'erased'
  readonly mergedInto?: Id
  readonly atMs: number
}

/**
 * A snapshot that is not available: it held an erased record, its retention period is over, or its files are damaged.
 */
export interface Gone {
  readonly reason: 'erased' | 'expired' | 'damaged' | 'withdrawn'
  /** RFC 3339. */
  readonly at: string
}

/** A complete snapshot. */
export interface FeedSnapshot {
  readonly manifest: Manifest
  /** The manifest, verbatim as served. */
  readonly bytes: Buffer
  /** Path of the folder with its parts. */
  readonly folder: string
}

/** Returns true if the snapshot is no longer kept. */
export const isGone = (found: FeedSnapshot | Gone): found is Gone => 'reason' in found

/** Reason why a key cannot sign. `other`: it is not the key that signed the newest snapshots. */
export type SigningKeyProblem = 'missing' | 'damaged' | 'other'

const signingKeyTexts: Readonly<Record<SigningKeyProblem, string>> = {
  missing: 'is missing, although the published snapshots are signed with it',
  damaged: 'is not an Ed25519 private key in PEM',
  other: 'is not the key that signed the newest snapshots',
}

/** Returns a user-facing sentence about a key that cannot sign; `name` is its subject. */
export const signingKeyText = (name: string, problem: SigningKeyProblem): string =>
  `${name} ${signingKeyTexts[problem]}.`
