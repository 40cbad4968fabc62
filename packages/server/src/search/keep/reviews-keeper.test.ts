import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Change } from '../../domain/change.ts'
import { ReviewsWriter } from '../reviews/writer.ts'
import { ReviewsKeeper, type ReviewsSources } from './reviews-keeper.ts'

let folder = ''
let keeper: ReviewsKeeper | undefined
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'periplus-reviews-'))
})
afterEach(async () => {
  await keeper?.close()
  rmSync(folder, { recursive: true })
})

/** Starts a keeper over a log of changes, and returns what it does. */
function start(more: Partial<ReviewsSources> = {}) {
  const path = join(folder, 'reviews.index')
  const log: Change[] = []
  let nowMs = 0
  const build = vi.fn(async () => {
    const writer = new ReviewsWriter(path, 0, () => true)
    writer.add({ id: 1n, locationId: 1n, text: [{ value: 'quiet' }] })
    writer.commit({ storeId: 's', position: { seq: log.length, mark: '' } })
    return true
  })
  const change = (op: Change['op'], times = 1) => {
    for (let i = 0; i < times; i++) log.push({ seq: log.length + 1, atMs: 0, kind: 'review', id: 1n, op })
  }
  const sources: ReviewsSources = {
    path,
    build,
    lastSeq: async () => log.length,
    changesAfter: async (seq, limit) => log.slice(seq, seq + limit),
    isOwn: async ({ storeId }) => storeId === 's',
    hasErased: async () => false,
    nowMs: () => nowMs++,
    onError: error => {
      throw error
    },
    ...more,
  }
  keeper = new ReviewsKeeper(sources, { checkEveryMs: 1, quietMs: 5 })
  return { path, build, change }
}

test('builds a missing file once, and again when many reviews have changed', async () => {
  const { build, change } = start()
  await vi.waitFor(() => expect(build).toHaveBeenCalledTimes(1))
  change('upsert', 1000)
  await vi.waitFor(() => expect(build).toHaveBeenCalledTimes(2))
})

test('removes the file when a review is erased, and builds it again', async () => {
  const { path, build, change } = start({ hasErased: async () => true })
  await vi.waitFor(() => expect(existsSync(path)).toBe(true))
  change('delete')
  await vi.waitFor(() => expect(build).toHaveBeenCalledTimes(2))
  await vi.waitFor(() => expect(existsSync(path)).toBe(true))
})

test('removes the draft of a killed build', async () => {
  const draft = join(folder, 'reviews.index.00.new')
  writeFileSync(draft, 'quiet')
  const { build } = start()
  await vi.waitFor(() => expect(build).toHaveBeenCalledTimes(1))
  expect(existsSync(draft)).toBe(false)
})

test('removes the file of another store', async () => {
  const { build } = start({ isOwn: async () => build.mock.calls.length > 1 })
  await vi.waitFor(() => expect(build).toHaveBeenCalledTimes(2))
})

test('builds nothing for few reviews until many have changed', async () => {
  const few = vi.fn(async () => false)
  const { change } = start({ build: few })
  await vi.waitFor(() => expect(few).toHaveBeenCalledTimes(1))
  change('upsert', 1000)
  await vi.waitFor(() => expect(few).toHaveBeenCalledTimes(2))
})
