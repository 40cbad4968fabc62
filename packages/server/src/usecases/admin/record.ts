import { isDeepStrictEqual } from 'node:util'
import type { Actor } from '../../domain/actor.ts'
import type { ChangeRecord } from '../../domain/change-record.ts'
import type { EventDraft } from '../../domain/event.ts'
import type { Clock } from '../../kit/clock.ts'
import type { JsonObject, JsonValue } from '../../kit/json.ts'

/** A change as a use case describes it. */
export interface RecordedChange {
  /** Resource and verb, as in `key.create`. */
  readonly action: string
  /** Id of the changed resource. */
  readonly target: string
  readonly partnerId?: string | undefined
  /**
   * The resource before and after the change; only members that differ are recorded. Missing: it did not exist, or it
   * no longer does.
   */
  readonly before?: object | undefined
  readonly after?: object | undefined
  readonly events?: readonly Omit<EventDraft, 'atMs'>[]
}

/** Creates the record of a change that happens now. */
export function recordOf(clock: Clock, actor: Actor, change: RecordedChange): ChangeRecord {
  const { action, target, partnerId, events } = change
  const atMs = clock.nowMs()
  const [before, after] = differences(change.before, change.after)
  return {
    audit: {
      atMs,
      actor,
      action,
      target,
      ...(partnerId !== undefined && { partnerId }),
      ...(before && { before }),
      ...(after && { after }),
    },
    ...(events && { events: events.map(event => ({ ...event, atMs })) }),
  }
}

const privateMembers = new Set(
  'name email text note notes comment reason answer secret password totp digest'.split(' '),
)

/**
 * Returns true for members whose values the audit must not contain: names, e-mail addresses, texts and secrets. The
 * audit has `true` in their place.
 */
export const isPrivateMember = (name: string): boolean => privateMembers.has(name)

/** Members that every change sets, or that the line of the audit has elsewhere. */
const omittedMembers = new Set(['id', 'partnerId', 'createdMs', 'revision'])

/** Members whose name in JSON differs. */
const renamed: Readonly<Record<string, string>> = { packageName: 'package' }

function differences(before: object | undefined, after: object | undefined): (JsonObject | undefined)[] {
  const [from, to] = [new Map(Object.entries(before ?? {})), new Map(Object.entries(after ?? {}))]
  // Sorted, so that equal changes have equal lines regardless of the interface.
  const names = [...new Set([...from.keys(), ...to.keys()])]
    .sort()
    .filter(name => !omittedMembers.has(name) && !isDeepStrictEqual(from.get(name), to.get(name)))
  return [before && describe(from, names), after && describe(to, names)]
}

const describe = (values: ReadonlyMap<string, unknown>, names: readonly string[]): JsonObject =>
  Object.fromEntries(
    names
      .filter(name => values.get(name) !== undefined && values.get(name) !== null)
      .map(name => [jsonName(name), isPrivateMember(name) ? true : toJson(values.get(name))]),
  )

const jsonName = (name: string): string => renamed[name] ?? name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)

function toJson(value: unknown): JsonValue {
  if (typeof value === 'bigint') return value.toString()
  if (Array.isArray(value)) return value.map(toJson)
  if (typeof value !== 'object' || value === null) return value as JsonValue
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return Object.fromEntries(members.map(([name, member]) => [jsonName(name), toJson(member)]))
}
