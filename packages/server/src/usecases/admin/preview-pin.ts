import { isDeepStrictEqual } from 'node:util'
import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, isAdminFault } from '../../domain/admin-fault.ts'
import type { Edition, Manifest } from '../../domain/feed.ts'
import type { EditionSnapshots } from '../../domain/feed-build.ts'
import { type FeedPinning, type PinInput, type PinResult, planPin } from './pin-feed.ts'

/** Dependencies of `previewPin`. */
export interface PinPreviewing extends FeedPinning {
  /** Returns the snapshots of each edition. */
  editions(): Promise<readonly EditionSnapshots[]>
  /** Returns the members of a record and their schemas, by name. */
  recordMembers(edition: Edition): ReadonlyMap<string, unknown>
}

/** The consequences of a pin that has not been moved yet. */
export interface PinPreview extends PinResult {
  /** Names of the members of a record that only the new version has. */
  readonly added: readonly string[]
  /** Names of the members that only the old version has. */
  readonly removed: readonly string[]
  /** Names of the members whose schemas differ. */
  readonly altered: readonly string[]
  /** The full snapshot that the key downloads first; undefined if the next build has to make it. */
  readonly snapshot: Manifest | undefined
}

/** Returns the consequences of moving a pin, or the fault that would refuse it. Changes nothing. */
export async function previewPin(
  stores: PinPreviewing,
  actor: Actor,
  input: Omit<PinInput, 'expectedRevision'>,
): Promise<PinPreview | AdminFault> {
  const plan = await planPin(stores, actor, input)
  if (isAdminFault(plan)) return plan
  const { feed, from, to } = plan
  const [before, after] = [from, to].map(version => stores.recordMembers({ feed, version })) as [Members, Members]
  const names = [...new Set([...before.keys(), ...after.keys()])].sort()
  const editions = await stores.editions()
  const snapshots = editions.find(({ edition }) => edition.feed === feed && edition.version === to)?.snapshots ?? []
  return {
    ...plan,
    changed: from !== to,
    added: names.filter(name => !before.has(name)),
    removed: names.filter(name => !after.has(name)),
    altered: names.filter(
      name => before.has(name) && after.has(name) && !isDeepStrictEqual(before.get(name), after.get(name)),
    ),
    snapshot: snapshots.findLast(({ manifest }) => manifest.kind === 'full')?.manifest,
  }
}

type Members = ReadonlyMap<string, unknown>
