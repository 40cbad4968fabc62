import { describe, expect, test } from 'vitest'
import { FairQueue } from './fair-queue.ts'
import { ThreadUnavailable } from './thread-unavailable.ts'

/** A queue whose jobs run until the test ends them; `started` has the names of those that have begun. */
function setUp(bounds = { running: 1, waiting: 4, waitingPerSubject: 3 }) {
  const queue = new FairQueue(bounds)
  const started: string[] = []
  const gone = new Set<string>()
  const ends = new Map<string, { resolve: (name: string) => void; reject: (error: Error) => void }>()
  /** Adds a job; the first letter of its name is its subject. */
  const add = (name: string) =>
    queue.run({ subject: name[0]!, isGone: () => gone.has(name) }, () => {
      started.push(name)
      return new Promise<string>((resolve, reject) => ends.set(name, { resolve, reject }))
    })
  return { queue, started, gone, add, ends }
}

/** Lets the queue react to jobs that have ended. */
const settle = () => new Promise(resolve => setImmediate(resolve))

describe('the order of jobs', () => {
  test('as many as may run begin at once, the others wait', async () => {
    const { queue, started, add, ends } = setUp({ running: 2, waiting: 4, waitingPerSubject: 4 })
    const jobs = ['a1', 'a2', 'a3'].map(add)
    expect([started, queue.waiting]).toEqual([['a1', 'a2'], 1])
    ends.get('a2')!.resolve('result')
    expect(await jobs[1]).toBe('result')
    expect([started, queue.waiting]).toEqual([['a1', 'a2', 'a3'], 0])
  })

  test('subjects take turns, each in the order of its jobs', async () => {
    const { started, add, ends } = setUp({ running: 1, waiting: 10, waitingPerSubject: 10 })
    for (const name of ['a1', 'a2', 'a3', 'b1', 'c1', 'c2']) void add(name)
    for (let i = 0; i < 5; i++) {
      ends.get(started.at(-1)!)!.resolve('')
      await settle()
    }
    expect(started).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'c2'])
  })

  test('a job that fails rejects, and the next begins', async () => {
    const { started, add, ends } = setUp()
    const [first] = ['a1', 'a2'].map(add)
    ends.get('a1')!.reject(new Error('a bug'))
    await expect(first).rejects.toThrow('a bug')
    expect(started).toEqual(['a1', 'a2'])
  })
})

describe('bounds', () => {
  const refusalOf = (job: Promise<unknown>) =>
    job.then(
      () => 'done',
      (error: unknown) => error,
    )

  test('a subject cannot fill the queue', async () => {
    const { queue, add } = setUp()
    for (const name of ['a1', 'a2', 'a3', 'a4']) void add(name)
    const refusal = await refusalOf(add('a5'))
    expect(refusal).toBeInstanceOf(ThreadUnavailable)
    expect((refusal as ThreadUnavailable).retryMs).toBe(1000)
    void add('b1')
    expect([queue.waiting, queue.refusedTotal]).toEqual([4, 1])
  })

  test('a full queue refuses every subject, until a job has begun', async () => {
    const { queue, add, ends } = setUp()
    for (const name of ['a1', 'a2', 'a3', 'b1', 'c1']) void add(name)
    expect(await refusalOf(add('d1'))).toBeInstanceOf(ThreadUnavailable)
    ends.get('a1')!.resolve('')
    await settle()
    void add('d2')
    expect([queue.waiting, queue.refusedTotal]).toEqual([4, 1])
  })

  test('jobs whose callers are gone never begin', async () => {
    const { started, gone, add, ends } = setUp()
    const [, second] = ['a1', 'a2', 'b1'].map(add)
    const refused = refusalOf(second!)
    gone.add('a2')
    ends.get('a1')!.resolve('')
    expect(await refused).toBeInstanceOf(ThreadUnavailable)
    await settle()
    expect(started).toEqual(['a1', 'b1'])
  })

  test('jobs whose callers are gone do not keep others out of a full queue', async () => {
    const { queue, gone, add } = setUp()
    const waiting = ['a1', 'a2', 'a3', 'b1', 'c1'].map(name => refusalOf(add(name)))
    gone.add('a3')
    void add('d1')
    expect(await waiting[2]).toBeInstanceOf(ThreadUnavailable)
    expect([queue.waiting, queue.refusedTotal]).toEqual([4, 0])
  })
})
