import { Worker } from 'node:worker_threads'
import type { RecommendationHit } from '../domain/recommendation.ts'
import type { EngineDescriptor } from '../domain/stores.ts'
import { threadEntry } from '../kit/thread-entry.ts'
import type { RankTask } from '../search/recommend/recommend.ts'

export interface RankRequest {
  readonly number: number
  readonly task: RankTask
}

export type RankReply = { readonly number: number } & (
  | { readonly hits: RecommendationHit[] }
  | { readonly error: string }
)

interface Waiting {
  readonly resolve: (hits: RecommendationHit[]) => void
  readonly reject: (error: Error) => void
}

const entry = threadEntry('../threads/ranking', import.meta.url)

/** Ranks in a thread, which starts with the first request, and again after a crash. */
export class RankingThread {
  readonly #engine: EngineDescriptor
  readonly #waiting = new Map<number, Waiting>()
  #worker: Worker | undefined
  #next = 0

  constructor(engine: EngineDescriptor) {
    this.#engine = engine
  }

  rank(task: RankTask): Promise<RecommendationHit[]> {
    const worker = this.#worker ?? this.#start()
    const number = this.#next++
    return new Promise((resolve, reject) => {
      this.#waiting.set(number, { resolve, reject })
      worker.postMessage({ number, task } satisfies RankRequest)
    })
  }

  async close(): Promise<void> {
    const worker = this.#worker
    this.#fail(new Error('the ranking thread was closed'))
    await worker?.terminate()
  }

  #start(): Worker {
    const worker = new Worker(entry, { workerData: { engine: this.#engine } })
    worker.on('message', (reply: RankReply) => {
      const waiting = this.#waiting.get(reply.number)
      this.#waiting.delete(reply.number)
      if ('error' in reply) waiting?.reject(new Error(reply.error))
      else waiting?.resolve(reply.hits)
    })
    worker.on('error', error => this.#fail(error instanceof Error ? error : new Error(String(error))))
    worker.on('exit', () => {
      if (this.#worker === worker) this.#fail(new Error('the ranking thread stopped'))
    })
    this.#worker = worker
    return worker
  }

  #fail(error: Error): void {
    this.#worker = undefined
    for (const { reject } of this.#waiting.values()) reject(error)
    this.#waiting.clear()
  }
}
