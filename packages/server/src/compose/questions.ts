import { randomUUID } from 'node:crypto'
import { ThreadUnavailable } from '../kit/thread-unavailable.ts'

/** A call of a method of another thread, as a message. */
export interface Question {
  /** Identifies the Asker: a thread that is restarted numbers its questions from 0 again. */
  readonly asker: string
  readonly number: number
  readonly method: string
  readonly args: readonly unknown[]
}

/** The result of a call, or the message of the error that ended it. */
export type Answer = Pick<Question, 'asker' | 'number'> &
  (
    | { readonly result: unknown }
    | { readonly error: string; readonly unavailable?: { readonly retryMs: number | undefined } }
  )

/** Methods that another thread can call: their arguments and results are data. */
type Methods<Api> = { readonly [Name in keyof Api]: (...args: never[]) => Promise<unknown> }

/** Answers a question in the thread that has the methods. */
export async function answerQuestion<Api extends Methods<Api>>(
  api: Api,
  { asker, number, method, args }: Question,
): Promise<Answer> {
  try {
    const call = api[method as keyof Api] as unknown as (...args: readonly unknown[]) => Promise<unknown>
    return { asker, number, result: await call(...args) }
  } catch (error) {
    return {
      asker,
      number,
      error: error instanceof Error ? error.message : String(error),
      ...(error instanceof ThreadUnavailable && { unavailable: { retryMs: error.retryMs } }),
    }
  }
}

/** Calls the methods of another thread. */
export class Asker<Api extends Methods<Api>> {
  readonly #send: (question: Question) => void
  readonly #pending = new Map<number, PromiseWithResolvers<unknown>>()
  readonly #name = randomUUID()
  #next = 0

  constructor(send: (question: Question) => void) {
    this.#send = send
  }

  /** Calls a method. Rejects with ThreadUnavailable if the method does, and with an error of its message otherwise. */
  ask<Name extends keyof Api & string>(
    method: Name,
    ...args: Parameters<Api[Name]>
  ): Promise<Awaited<ReturnType<Api[Name]>>> {
    const number = this.#next++
    const pending = Promise.withResolvers<unknown>()
    this.#pending.set(number, pending)
    this.#send({ asker: this.#name, number, method, args })
    return pending.promise as Promise<Awaited<ReturnType<Api[Name]>>>
  }

  /** Passes an answer to the call that waits for it; ignores one to another Asker. */
  receive(answer: Answer): void {
    if (answer.asker !== this.#name) return
    const pending = this.#pending.get(answer.number)
    this.#pending.delete(answer.number)
    if ('result' in answer) pending?.resolve(answer.result)
    else pending?.reject(toError(answer))
  }
}

const toError = ({ error, unavailable }: Extract<Answer, { readonly error: string }>): Error =>
  unavailable ? new ThreadUnavailable(error, unavailable.retryMs) : new Error(error)
