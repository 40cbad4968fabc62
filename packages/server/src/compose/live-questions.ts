import type { LiveState } from '../domain/live-state.ts'

/** A call of a method of LiveState, as a message. */
export interface LiveQuestion {
  readonly number: number
  readonly method: keyof LiveState
  readonly args: readonly unknown[]
}

/** The result of a call, or the message of the error that ended it. */
export type LiveAnswer = { readonly number: number } & ({ readonly result: unknown } | { readonly error: string })

type Method = (...args: readonly unknown[]) => Promise<unknown>

/** Answers a question in the serving process. */
export async function answerQuestion(live: LiveState, { number, method, args }: LiveQuestion): Promise<LiveAnswer> {
  try {
    return { number, result: await (live[method] as Method)(...args) }
  } catch (error) {
    return { number, error: error instanceof Error ? error.message : String(error) }
  }
}

/** Asks the serving process from another thread. */
export class LiveAsker {
  readonly #send: (question: LiveQuestion) => void
  readonly #pending = new Map<number, PromiseWithResolvers<unknown>>()
  #next = 0

  constructor(send: (question: LiveQuestion) => void) {
    this.#send = send
  }

  /** The live state of the serving process. */
  readonly state: LiveState = {
    status: () => this.#ask('status'),
    measures: () => this.#ask('measures'),
    limitsOf: key => this.#ask('limitsOf', key),
    forgive: key => this.#ask('forgive', key),
    downloadsOf: keyId => this.#ask('downloadsOf', keyId),
    search: query => this.#ask('search', query),
    nearby: query => this.#ask('nearby', query),
  }

  /** Passes an answer to the call that waits for it. */
  receive(answer: LiveAnswer): void {
    const pending = this.#pending.get(answer.number)
    this.#pending.delete(answer.number)
    if ('result' in answer) pending?.resolve(answer.result)
    else pending?.reject(new Error(answer.error))
  }

  #ask<T>(method: keyof LiveState, ...args: readonly unknown[]): Promise<T> {
    const number = this.#next++
    const pending = Promise.withResolvers<unknown>()
    this.#pending.set(number, pending)
    this.#send({ number, method, args })
    return pending.promise as Promise<T>
  }
}
