import { ThreadUnavailable } from '../kit/thread.ts'

/** A call of a method of another thread, as a message. */
export interface Question {
  readonly number: number
  readonly method: string
  readonly args: readonly unknown[]
}

/** The result of a call, or the message of the error that ended it. */
export type Answer = { readonly number: number } & (
  | { readonly result: unknown }
  | { readonly error: string; readonly unavailable?: { readonly retryMs: number | undefined } }
)

/** Methods that another thread can call: their arguments and results are data. */
type Methods<Api> = { readonly [Name in keyof Api]: (...args: never[]) => Promise<unknown> }

/** Answers a question in the thread that has the methods. */
export async function answerQuestion<Api extends Methods<Api>>(
  api: Api,
  { number, method, args }: Question,
): Promise<Answer> {
  try {
    const call = api[method as keyof Api] as unknown as (...args: readonly unknown[]) => Promise<unknown>
    return { number, result: await call(...args) }
  } catch (error) {
    return {
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
    this.#send({ number, method, args })
    return pending.promise as Promise<Awaited<ReturnType<Api[Name]>>>
  }

  /** Passes an answer to the call that waits for it. */
  receive(answer: Answer): void {
    const pending = this.#pending.get(answer.number)
    this.#pending.delete(answer.number)
    if ('result' in answer) pending?.resolve(answer.result)
    else pending?.reject(toError(answer))
  }
}

const toError = ({ error, unavailable }: Extract<Answer, { readonly error: string }>): Error =>
  unavailable ? new ThreadUnavailable(error, unavailable.retryMs) : new Error(error)
