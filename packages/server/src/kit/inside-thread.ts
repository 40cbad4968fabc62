import { parentPort, workerData } from 'node:worker_threads'
import type { FromThread, ToThread } from './thread-messages.ts'

/** The surroundings of code that runs in a thread. */
export interface ThreadContext<Data = unknown, Event = never> {
  /** `data` of the thread's options. */
  readonly data: Data
  /** Sends an event to the owner of the thread. */
  emit(event: Event): void
  /** Aborted when the owner stops the thread. */
  readonly stopping: AbortSignal
}

/**
 * Runs `main` as the whole work of the calling thread. An error that it throws ends the thread, which its owner then
 * starts again; so does a return before `stopping` is aborted.
 */
export async function runThread<Data, Event>(
  main: (context: ThreadContext<Data, Event>) => Promise<void>,
): Promise<void> {
  const stopping = new AbortController()
  onMessage(message => {
    if (message.kind === 'stop') stopping.abort()
  })
  await main(contextOf(stopping.signal))
  parentPort!.close()
}

/**
 * Answers requests in the calling thread, one after the other, in the order in which they arrive. An error that `handle`
 * throws rejects that request only.
 */
export function serveRequests<Request, Result, Data = unknown, Event = never>(
  handle: (request: Request, context: ThreadContext<Data, Event>) => Promise<Result> | Result,
): void {
  const stopping = new AbortController()
  const context = contextOf<Data, Event>(stopping.signal)
  let turn = Promise.resolve()
  const answer = async (number: number, request: Request): Promise<void> => {
    try {
      send({ kind: 'reply', number, result: await handle(request, context) })
    } catch (error) {
      const { message, stack = message } = error instanceof Error ? error : new Error(String(error))
      send({ kind: 'failure', number, message, stack })
    }
  }
  onMessage(message => {
    if (message.kind === 'request') turn = turn.then(() => answer(message.number, message.request as Request))
    else {
      stopping.abort()
      turn = turn.then(() => parentPort!.close())
    }
  })
}

function contextOf<Data, Event>(stopping: AbortSignal): ThreadContext<Data, Event> {
  return { data: workerData as Data, emit: event => send({ kind: 'event', event }), stopping }
}

const send = (message: FromThread): void => parentPort!.postMessage(message)

const onMessage = (listener: (message: ToThread) => void): unknown => parentPort!.on('message', listener)
