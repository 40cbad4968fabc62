import { parentPort, workerData } from 'node:worker_threads'
import type { FromThread, ToThread } from './thread-messages.ts'

/** The context of code that runs in a thread. */
export interface ThreadContext<Data = unknown, Event = never> {
  /** `data` of the thread's options. */
  readonly data: Data
  /** Sends an event to the owner of the thread. */
  emit(event: Event): void
  /** Aborted when the owner stops the thread. */
  readonly stopping: AbortSignal
}

/**
 * Runs `main` in the calling thread. The thread ends when `main` returns or throws. Unless `stopping` was aborted, the
 * owner then restarts it.
 */
export async function runThread<Data, Event>(
  main: (context: ThreadContext<Data, Event>) => Promise<void>,
): Promise<void> {
  const stopping = new AbortController()
  onMessage(message => {
    if (message.kind === 'stop') stopping.abort()
  })
  await main(createContext(stopping.signal))
  parentPort!.close()
}

/** Handles requests in the calling thread, one at a time, in order of arrival. An error of `handle` rejects that request only. */
export function serveRequests<Request, Result, Data = unknown, Event = never>(
  handle: (request: Request, context: ThreadContext<Data, Event>) => Promise<Result> | Result,
): void {
  const stopping = new AbortController()
  const context = createContext<Data, Event>(stopping.signal)
  let queue = Promise.resolve()
  const respond = async (number: number, request: Request): Promise<void> => {
    try {
      send({ kind: 'reply', number, result: await handle(request, context) })
    } catch (error) {
      const { message, stack = message } = error instanceof Error ? error : new Error(String(error))
      send({ kind: 'failure', number, message, stack })
    }
  }
  onMessage(message => {
    if (message.kind === 'request') queue = queue.then(() => respond(message.number, message.request as Request))
    else {
      stopping.abort()
      queue = queue.then(() => parentPort!.close())
    }
  })
}

function createContext<Data, Event>(stopping: AbortSignal): ThreadContext<Data, Event> {
  return { data: workerData as Data, emit: event => send({ kind: 'event', event }), stopping }
}

const send = (message: FromThread): void => parentPort!.postMessage(message)

const onMessage = (listener: (message: ToThread) => void): unknown => parentPort!.on('message', listener)
