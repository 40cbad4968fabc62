import { afterEach, describe, expect, it, vi } from 'vitest'
import { requestInThread } from './request-in-thread.ts'
import type { TestRequest, ThreadMode } from './thread.fixture.ts'
import type { Thread, ThreadDeath, ThreadOptions } from './thread.ts'
import { threadEntry } from './thread-entry.ts'
import { ThreadUnavailable } from './thread-unavailable.ts'
import { Threads } from './threads.ts'

const entry = threadEntry('./thread.fixture', import.meta.url)
const started: Thread<TestRequest, unknown, string>[] = []
afterEach(async () => {
  await Promise.all(started.splice(0).map(thread => thread.stop()))
})

type MoreOptions = Pick<ThreadOptions<string>, 'stopWithinMs' | 'isSuccess'>

function create(mode: ThreadMode, running: 'always' | 'on-request', more: MoreOptions = {}) {
  const deaths: ThreadDeath[] = []
  const events: string[] = []
  const threads = new Threads(death => deaths.push(death))
  const thread = threads.create<TestRequest, unknown, string>({
    name: 'test',
    entry,
    data: mode,
    running,
    onEvent: event => events.push(event),
    ...more,
  })
  started.push(thread)
  return { thread, threads, deaths, events }
}

describe('a thread that always runs', () => {
  it('sends events and finishes its work when it is stopped', async () => {
    const { thread, threads, deaths, events } = create('run', 'always', { stopWithinMs: 20_000 })
    await expect.poll(() => events).toEqual(['running'])
    expect(threads.statuses()).toEqual([{ name: 'test', up: true, restarts: 0, failures: 0 }])
    await thread.stop()
    expect([events, deaths]).toEqual([['running', 'stopping'], []])
  })

  it.each([
    ['exit', 'The test thread ended with exit code 7.'],
    ['throw', 'cannot open the store'],
    ['return', 'The test thread ended with exit code 0.'],
  ] as const)('%s: starts again, later each time', async (mode, message) => {
    const { thread, threads, deaths } = create(mode, 'always')
    await expect.poll(() => deaths.length).toBe(3)
    expect(deaths.map(({ failures, restartMs }) => [failures, restartMs])).toEqual([
      [1, 0],
      [2, 1000],
      [3, 2000],
    ])
    expect(deaths.map(({ error }) => error.message)).toEqual([message, message, message])
    expect(threads.statuses()).toEqual([{ name: 'test', up: false, restarts: 2, failures: 3 }])
    expect(threads.notes()).toEqual([
      'The test thread has ended unexpectedly 3 times in a row. It will be restarted; the log has the reason.',
    ])
    await thread.stop()
    expect(thread.starts).toBe(3)
  })

  it.each([
    ['after a minute without an unexpected end', {}, [1, 1, 1]],
    ['only after a success if it reports successes', { isSuccess: () => false }, [1, 2, 3]],
    ['after a success', { isSuccess: (event: string) => event === 'running' }, [1, 1, 1]],
  ])('has recovered %s', async (_, more, failures) => {
    let nowMs = 0
    const now = vi.spyOn(performance, 'now').mockImplementation(() => {
      nowMs += 61_000
      return nowMs
    })
    try {
      const { thread, deaths } = create('return', 'always', more)
      await expect.poll(() => deaths.length).toBeGreaterThan(2)
      await thread.stop()
      expect(deaths.slice(0, 3).map(death => death.failures)).toEqual(failures)
    } finally {
      now.mockRestore()
    }
  })

  it('is terminated if it does not finish its work', async () => {
    const { thread, events, deaths } = create('ignore-stop', 'always', { stopWithinMs: 50 })
    await expect.poll(() => events).toEqual(['running'])
    await thread.stop()
    expect(deaths).toEqual([])
  })
})

describe('a thread that runs on request', () => {
  it('starts with the first request and returns the result of each request', async () => {
    const { thread, events } = create('serve', 'on-request')
    expect(thread.starts).toBe(0)
    const echoes = [1, 'two', { three: [3] }]
    expect(await Promise.all(echoes.map(echo => thread.request({ echo })))).toEqual(echoes)
    expect([thread.starts, events]).toEqual([1, ['asked', 'asked', 'asked']])
  })

  it('rejects a request whose handler throws and handles the next', async () => {
    const { thread, deaths } = create('serve', 'on-request')
    await expect(thread.request('fail')).rejects.toThrow('no such echo')
    expect(await thread.request({ echo: 1 })).toBe(1)
    expect([thread.starts, deaths]).toEqual([1, []])
  })

  it.each(['exit', 'throw-later'] as const)('%s: rejects pending requests and restarts', async how => {
    const { thread, threads, deaths } = create('serve', 'on-request')
    expect(await thread.request({ echo: 1 })).toBe(1)
    const waiting = [thread.request(how), thread.request({ echo: 2 })]
    expect(await Promise.allSettled(waiting)).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }])
    expect(threads.notes()).toEqual([
      'The test thread has ended unexpectedly once. It has been restarted; the log has the reason.',
    ])
    expect(await thread.request({ echo: 3 })).toBe(3)
    expect([thread.starts, deaths.length]).toEqual([2, 1])
    // The reply has reset the failure count: the next death is the first again.
    await expect(thread.request('exit')).rejects.toThrow('exit code 7')
    await expect(thread.request('exit')).rejects.toThrow('exit code 7')
    expect(deaths.map(({ failures }) => failures)).toEqual([1, 1, 2])
    // After the second consecutive death, the restart is delayed.
    const unavailable = await thread.request({ echo: 4 }).catch((error: unknown) => error)
    expect(unavailable).toBeInstanceOf(ThreadUnavailable)
    const { retryMs } = unavailable as ThreadUnavailable
    expect([retryMs! > 0, retryMs! <= 1000]).toEqual([true, true])
    expect(threads.statuses()).toEqual([{ name: 'test', up: false, restarts: 2, failures: 2 }])
    await expect.poll(() => thread.request({ echo: 5 }).catch(() => 0)).toBe(5)
    expect(threads.statuses()).toEqual([{ name: 'test', up: true, restarts: 3, failures: 2 }])
  })

  it('rejects a request that cannot be copied to the thread', async () => {
    const { thread } = create('serve', 'on-request')
    await expect(thread.request({ echo: () => {} })).rejects.toThrow('could not be cloned')
    expect(await thread.request({ echo: 1 })).toBe(1)
  })

  it('rejects pending and later requests when it is stopped', async () => {
    const { thread } = create('serve', 'on-request')
    const waiting = thread.request('hang')
    const rejected = expect(waiting).rejects.toThrow(ThreadUnavailable)
    await thread.stop()
    await rejected
    await expect(thread.request({ echo: 1 })).rejects.toThrow(ThreadUnavailable)
    expect(thread.starts).toBe(1)
  })
})

describe('stop', () => {
  it.each(['serve', 'exit'] as const)('resolves if the thread has died (%s) or never started', async mode => {
    const { thread } = create(mode, 'on-request')
    await thread.request('exit').catch(() => {})
    await thread.stop()
    await thread.stop()
    await create(mode, 'on-request').thread.stop()
  })

  it('resolves while the thread waits for its restart, which it cancels', async () => {
    const { thread, deaths } = create('exit', 'always', { stopWithinMs: 20_000 })
    await expect.poll(() => deaths.length).toBe(2)
    await thread.stop()
    expect(thread.starts).toBe(2)
  })
})

describe('requestInThread', () => {
  const options = { name: 'test', entry, data: 'serve' }
  it('returns the result of one request', async () => {
    expect(await requestInThread<TestRequest, unknown>(options, { echo: 1 })).toBe(1)
    await expect(requestInThread<TestRequest, unknown>(options, 'exit')).rejects.toThrow('exit code 7')
  })

  it('is cancelled by its signal', async () => {
    const controller = new AbortController()
    const asked = requestInThread<TestRequest, unknown>(options, 'hang', controller.signal)
    controller.abort()
    await expect(asked).rejects.toThrow(ThreadUnavailable)
    await expect(requestInThread(options, 'hang', AbortSignal.abort())).rejects.toThrow(ThreadUnavailable)
  })
})
