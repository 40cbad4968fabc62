import type { AddressInfo } from 'node:net'
import type { Config } from '../config/load.ts'
import type { Id } from '../domain/id.ts'
import type { Logger } from '../kit/log.ts'
import type { Thread } from '../kit/thread.ts'
import { threadEntry } from '../kit/thread-entry.ts'
import type { Threads } from '../kit/threads.ts'
import type { RefusalCounts } from '../limits/refusal-counts.ts'
import type { PackedFile, SharedPackedFile } from '../packed/packed-file.ts'
import { type IndexView, type IndexViewData, indexViewData } from '../search/index/index-view.ts'
import { answerQuestion } from './questions.ts'
import type { CacheListener } from './serving-caches.ts'
import { logReplacedFile } from './serving-folder.ts'
import { releaseServing, type ServingMemory, type SharedServing } from './serving-memory.ts'
import type { ServingEvent, ServingMessage, ServingOwner, ServingReply, ServingTask } from './serving-messages.ts'
import { addMeasures, type ThreadMeasures, withoutHeld } from './thread-measures.ts'

/** The number of the first thread, which owns the others. */
const firstThread = 1
/** Interval in which the measures of threads are read, in milliseconds: a thread that dies loses those since then. */
const measureEveryMs = 1000
/** Maximum wait for the end of a thread that has drained, in milliseconds. */
const stopWithinMs = 5000

/** The parts of the first thread that the others use. */
export interface ServingThreadParts {
  readonly threads: Threads
  readonly log: Logger
  readonly writeLog: (lines: string | Uint8Array) => void
  readonly refusals: RefusalCounts
  readonly owner: ServingOwner
  /** Releases the journal if a thread that has ended still uses it. */
  readonly releaseJournal: (endedThread: number) => void
}

/** The data of a serving thread that the caller of `start` knows. */
export type ThreadTask = Omit<ServingTask, 'memory' | 'thread' | 'config' | 'listen'>

/** A serving thread as the first one sees it. */
interface Member {
  readonly thread: Thread<ServingMessage, ServingReply, ServingEvent>
  /** Settles when the thread listens, cannot listen, or has ended. */
  readonly started: PromiseWithResolvers<void>
  /** The sums of earlier threads with this number, and the measures of this one. */
  before: ThreadMeasures | undefined
  measures: ThreadMeasures | undefined
  failure: string | undefined
}

/**
 * The serving threads next to the first one, which passes on what it follows: keys, locations, the index and packed
 * files.
 */
export class ServingThreads implements CacheListener {
  readonly #config: Config
  readonly #memory: ServingMemory
  readonly #packed = new Map<string, SharedPackedFile>()
  #view: IndexViewData | undefined
  #parts: ServingThreadParts | undefined
  #members: Member[] = []
  #note: string | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(config: Config, memory: ServingMemory) {
    this.#config = config
    this.#memory = memory
  }

  /** The shared memory of the first thread. */
  get shared(): SharedServing {
    return { memory: this.#memory, thread: firstThread }
  }

  /**
   * Starts the threads, which listen on the address of the first one; undefined if the system cannot share its port.
   * Resolves when each of them listens, or cannot.
   */
  async start(
    parts: ServingThreadParts,
    task: ThreadTask,
    address: AddressInfo | string | null | undefined,
  ): Promise<void> {
    this.#parts = parts
    if (address === undefined) return this.#fail('the system cannot share a port between sockets')
    if (address === null || typeof address === 'string') return this.#fail('the socket has no port')
    const { address: host, port } = address
    const shared = { ...task, memory: this.#memory, config: this.#config, listen: { host, port } }
    for (let thread = firstThread + 1; thread <= this.#config.server.threads; thread++)
      this.#members.push(this.#createMember({ ...shared, thread }))
    this.#timer = setInterval(() => void this.readMeasures(), measureEveryMs).unref()
    await Promise.all(this.#members.map(({ started }) => started.promise))
    const failed = this.#members.find(({ failure }) => failure !== undefined)
    if (failed) this.#fail(`the port cannot be shared (${failed.failure})`)
  }

  viewChanged(view: IndexView): void {
    this.#view = indexViewData(view)
    void this.#send({ kind: 'view', view: this.#view })
  }

  /** Resolves when no thread uses the file before this one. */
  packedReplaced(version: string, file: PackedFile | undefined): Promise<void> {
    if (file) this.#packed.set(version, file.shared)
    else this.#packed.delete(version)
    return this.#send({ kind: 'packed', version, file: file?.shared })
  }

  /** All threads read keys again from this moment. */
  keysChanged(): void {
    Atomics.add(new Int32Array(this.#memory.keyChanges), 0, 1)
  }

  locationsChanged(ids: readonly Id[] | 'any'): void {
    void this.#send({ kind: 'locations', ids })
  }

  /** Reads the measures of all threads. */
  async readMeasures(): Promise<void> {
    await Promise.all(
      this.#members.map(async member => {
        const measures = await member.thread.request({ kind: 'measures' }).catch(() => undefined)
        if (measures) member.measures = measures
      }),
    )
  }

  /** Returns the measures of all threads, as they were read last, with those of the first one. */
  sumWith(own: ThreadMeasures): ThreadMeasures {
    return addMeasures(own, ...this.#members.flatMap(({ before, measures }) => [before ?? [], measures ?? []].flat()))
  }

  /** Sends a message to all threads. Resolves when they have handled it or have ended. */
  async #send(message: ServingMessage): Promise<void> {
    await Promise.all(this.#members.map(({ thread }) => thread.request(message).catch(() => {})))
  }

  /** Returns messages for /readyz. */
  notes(): string[] {
    return this.#note === undefined ? [] : [this.#note]
  }

  /** Stops accepting connections, completes open requests, and ends the threads. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#send({ kind: 'drain' })
    await this.readMeasures()
    await Promise.all(this.#members.map(({ thread }) => thread.stop()))
    for (const { started } of this.#members) started.resolve()
  }

  #createMember(data: ServingTask): Member {
    const started = Promise.withResolvers<void>()
    const thread = this.#parts!.threads.create<ServingMessage, ServingReply, ServingEvent>({
      name: `serving-${data.thread}`,
      entry: threadEntry('../threads/serving', import.meta.url),
      data,
      running: 'always',
      limits: { maxYoungGenerationSizeMb: 48 },
      stopWithinMs,
      isSuccess: event => 'listening' in event,
      onEvent: event => this.#receive(member, event),
      onEnd: () => this.#release(member, data.thread),
    })
    const member: Member = { thread, started, before: undefined, measures: undefined, failure: undefined }
    return member
  }

  #receive(member: Member, event: ServingEvent): void {
    const { log, writeLog, refusals, owner } = this.#parts!
    const send = (message: ServingMessage) => void member.thread.request(message).catch(() => {})
    if ('started' in event) send({ kind: 'begin', view: this.#view, packed: [...this.#packed] })
    else if ('listening' in event) member.started.resolve()
    else if ('question' in event)
      void answerQuestion(owner, event.question).then(answer => send({ kind: 'answer', answer }))
    else if ('lines' in event) writeLog(event.lines)
    else if ('refusals' in event) refusals.restore(event.refusals)
    else if ('replaced' in event) logReplacedFile(log, event.replaced)
    else {
      member.failure = event.listenFailure
      member.started.resolve()
      void member.thread.stop()
    }
  }

  #release(member: Member, number: number): void {
    this.#parts!.releaseJournal(number)
    releaseServing(this.#config, this.shared, number)
    const { before, measures } = member
    if (measures) member.before = withoutHeld(before ? addMeasures(before, measures) : measures)
    member.measures = undefined
    member.started.resolve()
  }

  #fail(reason: string): void {
    this.#note = `Fewer threads serve than server.threads (${this.#config.server.threads}) because ${reason}.`
    this.#parts!.log.warn(`${this.#note} docs/guides/operate.md explains what the system must provide.`)
  }
}
