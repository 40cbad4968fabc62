import type { Id } from './id.ts'

/** What is delivered in bulk: places, what is said of them, the GEO category alone, and the lists of words. */
export const feedNames = ['locations', 'reviews', 'geos', 'enums'] as const
export type FeedName = (typeof feedNames)[number]

/** In which version a key takes each feed (SPEC §9.1.8): set when the key is made, moved by the operator alone. */
export type FeedPins = Readonly<Record<FeedName, string>>

/** A change of one pin: who made it, and when (milliseconds since 1970). */
export interface FeedPinChange {
  readonly keyId: string
  readonly feed: FeedName
  readonly from: string
  readonly to: string
  readonly by: string
  readonly atMs: number
}

/** All feeds in one version. */
export const pinsTo = (version: string): FeedPins => ({
  locations: version,
  reviews: version,
  geos: version,
  enums: version,
})

/** One feed in one version: a line of snapshots of its own. */
export interface Edition {
  readonly feed: FeedName
  readonly version: string
}

export type SnapshotKind = 'full' | 'delta'
export type FileEncoding = 'zstd' | 'gzip'

/** The id of a feed's record: a location's or review's, or the words `enum:value` in `enums`. */
export type RecordId = Id | string

/** One part of a snapshot: NDJSON, compressed, its records in ascending order of id. */
export interface SnapshotFile {
  readonly name: string
  /** Of the file as it is stored and served. */
  readonly bytes: number
  readonly records: number
  /** Hex, of the file as it is stored and served. */
  readonly sha256: string
  readonly min_id: RecordId
  readonly max_id: RecordId
  readonly encoding: FileEncoding
}

/** What a snapshot is, as partners read it: the members of manifest.json but for its signature. */
export interface Manifest {
  readonly feed: FeedName
  readonly version: string
  readonly schema_url: string
  /** `2026-11-20.0-v1`: the day it was made (UTC), its number on that day, its version. */
  readonly snapshot_id: string
  /** Counts the snapshots of an edition, full and delta, from 1. */
  readonly sequence: number
  readonly kind: SnapshotKind
  /** Of a delta: the last full before it. */
  readonly base_snapshot_id?: string
  /** Of a delta: the last delta before it, where there is one. */
  readonly previous_delta?: string
  /** Of a delta: the snapshots whose result it takes to its own. */
  readonly applies_to?: readonly string[]
  /** RFC 3339. */
  readonly created_at: string
  /** Lines in the files. */
  readonly records: number
  readonly upserts: number
  readonly tombstones: number
  readonly files: readonly SnapshotFile[]
  /** Records of the whole set that results. */
  readonly records_of_result: number
  /** Hex SHA-256 over `id hex(sha256(line))\n` of the whole set that results, in ascending order of id. */
  readonly checksum_of_result: string
  /** Where the version is deprecated: since when, until when it is served, and what replaces it. */
  readonly deprecation?: {
    readonly deprecated_at: string
    readonly sunset_at?: string
    readonly successor_version?: string
  }
}

/** How a record of a feed came to an end: what a tombstone says. */
export interface RecordEnding {
  readonly reason: 'removed' | 'merged' | 'erased'
  readonly mergedInto?: Id
  readonly atMs: number
}

/** Why a snapshot that was there is there no longer: it held an erased record, or its time was over. */
export interface Gone {
  readonly reason: 'erased' | 'expired'
  /** RFC 3339. */
  readonly at: string
}

/** A snapshot that is complete. */
export interface FeedSnapshot {
  readonly manifest: Manifest
  /** The manifest byte for byte, as it is served. */
  readonly bytes: Buffer
  /** Path of the folder that holds its parts. */
  readonly folder: string
}

/** Tells what is left of a snapshot from one that is there. */
export const isGone = (found: FeedSnapshot | Gone): found is Gone => 'reason' in found
