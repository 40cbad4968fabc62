import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { connect } from '../connection.ts'
import { watchCommits } from './watch.ts'

const folder = mkdtempSync(join(tmpdir(), 'periplus-watch-'))
afterAll(() => rmSync(folder, { recursive: true }))

function twoConnections(name: string) {
  const open = () => connect(join(folder, name))
  const [watched, other] = [open(), open()]
  watched.pragma('journal_mode = WAL')
  watched.exec('CREATE TABLE t (x)')
  return {
    watched,
    commit: () => other.exec('INSERT INTO t VALUES (1)'),
    close: () => [watched.close(), other.close()],
  }
}

test('a failed call is reported and repeated, and the watch continues', async () => {
  const { watched, commit, close } = twoConnections('fails.sqlite')
  const failures: unknown[] = []
  let calls = 0
  const handled = Promise.withResolvers<void>()
  const watch = watchCommits(watched, 1, {
    changed: async () => {
      if (++calls < 3) throw new Error(`failure ${calls}`)
      handled.resolve()
    },
    failed: error => failures.push(error),
  })
  commit()
  await handled.promise
  expect(failures.map(String)).toEqual(['Error: failure 1', 'Error: failure 2'])
  await watch.stop()
  expect(calls).toBe(3)
  close()
})

test('failed calls are repeated with increasing delays until one succeeds', async () => {
  vi.useFakeTimers()
  const { watched, commit, close } = twoConnections('back-off.sqlite')
  let fails = true
  const callsMs: number[] = []
  const startMs = Date.now()
  const watch = watchCommits(watched, 250, {
    changed: async () => {
      callsMs.push(Date.now() - startMs)
      if (fails) throw new Error('disk full')
    },
    failed: () => {},
  })
  try {
    commit()
    await vi.advanceTimersByTimeAsync(30_000)
    expect(callsMs).toEqual([250, 500, 1000, 2000, 4000, 8000, 16_000, 26_000])
    fails = false
    await vi.advanceTimersByTimeAsync(10_000)
    expect(callsMs.slice(8)).toEqual([36_000])
    commit()
    await vi.advanceTimersByTimeAsync(250)
    expect(callsMs.slice(9)).toEqual([40_250])
  } finally {
    await watch.stop()
    vi.useRealTimers()
    close()
  }
})

test('one call runs at a time, and a commit during a call is followed by another', async () => {
  const { watched, commit, close } = twoConnections('slow.sqlite')
  const [first, second, release] = [0, 0, 0].map(() => Promise.withResolvers<void>())
  let running = 0
  let mostRunning = 0
  let calls = 0
  const watch = watchCommits(watched, 1, {
    changed: async () => {
      mostRunning = Math.max(mostRunning, ++running)
      if (++calls === 1) {
        first!.resolve()
        await release!.promise
      } else second!.resolve()
      running--
    },
    failed: () => {},
  })
  commit()
  await first!.promise
  commit()
  release!.resolve()
  await second!.promise
  expect(mostRunning).toBe(1)
  await watch.stop()
  close()
})

test('a failed check is reported, and the watch continues', async () => {
  const { watched, close } = twoConnections('closed.sqlite')
  const failed = Promise.withResolvers<unknown>()
  const watch = watchCommits(watched, 1, { changed: async () => {}, failed: failed.resolve })
  close()
  expect(String(await failed.promise)).toContain('not open')
  await watch.stop()
})
