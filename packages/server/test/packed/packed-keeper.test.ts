import { hash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Change } from '../../src/domain/change.ts'
import { loadPacked } from '../../src/packed/load.ts'
import { PackedKeeper } from '../../src/packed/packed-keeper.ts'
import { PackedWriter } from '../../src/packed/writer.ts'
import { scratch } from '../world.ts'

const folder = scratch()
afterAll(folder.remove)
const path = join(folder.path, 'bodies-1.packed')
const count = 100n

/** A store with a change log, and a keeper over it; a build takes a second of the keeper's clock. */
function createKeeper(wanted: boolean | undefined = true) {
  const state = {
    nowMs: 0,
    changes: [] as Change[],
    prunedThrough: 0,
    wanted,
    failures: 0,
    builds: 0,
    unusable: [] as string[],
    errors: [] as number[],
  }
  const keeper = new PackedKeeper({
    path,
    isWanted: () => state.wanted,
    load: async file => loadPacked(file, 0),
    build: async () => {
      if (state.failures-- > 0) throw new Error('No space.')
      state.builds++
      state.nowMs += 1000
      write(state.changes.length)
    },
    changesAfter: async (seq, limit) =>
      seq < state.prunedThrough ? undefined : state.changes.filter(one => one.seq > seq).slice(0, limit),
    nowMs: () => state.nowMs,
    onUnusable: reason => state.unusable.push(reason),
    onError: (_error, retryMs) => state.errors.push(retryMs),
  })
  const change = (...ids: readonly bigint[]) => {
    for (const id of ids)
      state.changes.push({ seq: state.changes.length + 1, atMs: 0, kind: 'location', id, op: 'upsert' })
    return keeper.follow()
  }
  /** Lets time pass, in steps of a second. */
  const pass = async (seconds: number) => {
    for (let i = 0; i < seconds; i++) {
      state.nowMs += 1000
      await vi.advanceTimersByTimeAsync(1000)
    }
  }
  return { state, keeper, change, pass }
}

function write(seq: number): void {
  const writer = new PackedWriter(path, 0)
  for (let id = 1n; id <= count; id++) {
    const identity = Buffer.from(`${id} at ${seq}`)
    writer.add(id, { etag: `"${hash('sha1', identity, 'base64url')}"`, identity })
  }
  const origin = { version: '1', publicUrl: 'https://places.example', release: '1' }
  writer.commit({ ...origin, storeId: 'store', position: { seq, mark: '' } })
}

let made: ReturnType<typeof createKeeper>
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
})
afterEach(async () => {
  vi.useRealTimers()
  await made.keeper.close()
})

/** Returns the body of a place, as the keeper serves it. */
function bodyOf(id: bigint): string | undefined {
  const file = made.keeper.current
  const place = file?.find(id) ?? -1
  return place < 0 ? undefined : file!.read(place, 'identity')?.toString()
}

test('builds a file that is missing, hides changed places, and builds again when enough have changed', async () => {
  made = createKeeper()
  const { state, change, pass } = made
  await pass(1)
  expect([state.builds, state.unusable, bodyOf(7n)]).toEqual([1, ['is missing'], '7 at 0'])
  await change(7n, 8n, 500n)
  expect([bodyOf(7n), bodyOf(8n), bodyOf(9n)]).toEqual([undefined, undefined, '9 at 0'])
  // Two of a hundred are not enough.
  await pass(60)
  expect(state.builds).toBe(1)
  await change(9n)
  // An import that runs would bring a file of its own.
  await pass(9)
  expect(state.builds).toBe(1)
  await pass(2)
  expect([state.builds, bodyOf(7n), bodyOf(9n)]).toEqual([2, '7 at 4', '9 at 4'])
})

test('waits for changes to pause, but not without end', async () => {
  write(0)
  made = createKeeper()
  const { state, change, pass } = made
  await pass(1)
  for (let i = 0; i < 59; i++) {
    await change(1n, 2n, 3n)
    await pass(9)
  }
  expect([state.builds, bodyOf(1n)]).toEqual([0, undefined])
  for (let i = 0; i < 10; i++) {
    await change(1n)
    await pass(9)
  }
  expect(state.builds).toBe(1)
})

test('takes over a file of an import, with the changes since', async () => {
  write(0)
  made = createKeeper()
  const { state, change, pass } = made
  await pass(1)
  await change(1n, 2n, 3n, 4n)
  write(3)
  await pass(1)
  expect([state.builds, bodyOf(1n), bodyOf(3n), bodyOf(4n)]).toEqual([0, '1 at 3', '3 at 3', undefined])
})

test('keeps its file when another one is not usable', async () => {
  write(0)
  made = createKeeper()
  await made.pass(1)
  const bytes = readFileSync(path)
  write(0)
  writeFileSync(path, bytes.fill(0, 20, 30))
  await made.pass(1)
  expect(made.state.unusable).toEqual(['is damaged: the bodies are damaged'])
  expect(bodyOf(50n)).toBe('50 at 0')
})

test('builds a file again whose changes have been pruned', async () => {
  write(0)
  made = createKeeper()
  const { state, change, pass } = made
  await pass(1)
  state.prunedThrough = 2
  await change(1n, 2n, 3n)
  expect([bodyOf(1n), bodyOf(50n), state.unusable]).toEqual([undefined, undefined, ['is older than the change log']])
  await pass(12)
  expect([state.builds, bodyOf(1n)]).toEqual([1, '1 at 3'])
})

test('builds a file again in which a body is damaged while it is open', async () => {
  write(0)
  made = createKeeper()
  await made.pass(1)
  const bytes = readFileSync(path)
  writeFileSync(path, bytes.fill(0, 8, 9))
  expect([bodyOf(1n), bodyOf(50n)]).toEqual([undefined, undefined])
  expect(made.state.unusable).toEqual(['the body of location 1 is damaged'])
  await made.pass(1)
  expect([made.state.builds, bodyOf(1n)]).toEqual([1, '1 at 0'])
})

test('stops using the file in which another thread has found damage, but not a newer one', async () => {
  write(0)
  made = createKeeper()
  await made.pass(1)
  const damaged = made.keeper.current!.shared.file
  write(0)
  await made.pass(1)
  const newer = made.keeper.current!
  made.keeper.reportDamage(damaged, 'is damaged')
  expect([made.keeper.current, made.state.unusable]).toEqual([newer, []])
  made.keeper.reportDamage(newer.shared.file, 'is damaged')
  expect([made.keeper.current, made.state.unusable]).toEqual([undefined, ['is damaged']])
})

test('retries a build that fails, with growing delays', async () => {
  write(0)
  writeFileSync(path, 'nonsense')
  made = createKeeper()
  made.state.failures = 2
  await made.pass(4)
  expect(made.state.errors).toEqual([5000])
  await made.pass(20)
  expect([made.state.errors, made.state.builds]).toEqual([[5000, 10_000], 1])
  expect(bodyOf(1n)).toBe('1 at 0')
})

test('neither loads nor builds for a small inventory', async () => {
  write(0)
  made = createKeeper(false)
  await made.pass(5)
  expect([made.keeper.current, made.state.builds]).toEqual([undefined, 0])
  made.state.wanted = true
  await made.pass(1)
  expect(bodyOf(1n)).toBe('1 at 0')
})
