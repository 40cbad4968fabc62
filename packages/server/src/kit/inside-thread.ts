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
  main: (context: MainContext<Data, Event>) => Promise<void>,
): Promise<void> {
  const stopping = new AbortController()
  const early: ThreadRequest[] = []
  let receive = (message: ThreadRequest): void => void early.push(message)
  onMessage(message => {
    if (message.kind === 'stop') stopping.abort()
    else receive(message)
  })
  const serve = <Request, Result>(handle: (request: Request) => Promise<Result>): void => {
    receive = ({ number, request }) => void respond(number, () => handle(request as Request))
    for (const message of early.splice(0)) receive(message)
  }
  await main({ ...createContext<Data, Event>(stopping.signal), serve })
  parentPort!.close()
}

/** The context of the code of `runThread`. */
export interface MainContext<Data, Event> extends ThreadContext<Data, Event> {
  /** Handles requests with `handle` while `main` runs; earlier ones wait for this call. */
  serve<Request, Result>(handle: (request: Request) => Promise<Result>): void
}

type ThreadRequest = Extract<ToThread, { kind: 'request' }>

/** Runs the handler of a request and sends its result or its error. */
async function respond(number: number, handle: () => unknown): Promise<void> {
  try {
    send({ kind: 'reply', number, result: await handle() })
  } catch (error) {
    const { message, stack = message } = error instanceof Error ? error : new Error(String(error))
    send({ kind: 'failure', number, message, stack })
  }
}

/**
 * Handles requests in the calling thread, one at a time, in order of arrival. An error of `handle` rejects that request
 * only.
 */
export function serveRequests<Request, Result, Data = unknown, Event = never>(
  handle: (request: Request, context: ThreadContext<Data, Event>) => Promise<Result> | Result,
): void {
  const stopping = new AbortController()
  const context = createContext<Data, Event>(stopping.signal)
  let queue = Promise.resolve()
  onMessage(message => {
    if (message.kind === 'request')
      queue = queue.then(() => respond(message.number, () => handle(message.request as Request, context)))
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
