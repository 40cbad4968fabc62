import type { Config } from '../config/load.ts'
import type { LiveState } from '../domain/live-state.ts'
import type { ReplacedFile } from '../domain/store-errors.ts'
import type { EngineDescriptor } from '../domain/stores.ts'
import type { Thread } from '../kit/thread.ts'
import { threadEntry } from '../kit/thread-entry.ts'
import type { Threads } from '../kit/threads.ts'
import { type Answer, answerQuestion, type Question } from './questions.ts'

/** The place at which the management server listens: a socket for the serving thread, or on a port of its own. */
export type ManagementListening = { readonly socket: string } | { readonly host: string; readonly port: number }

/** Data of the management thread. */
export interface ManagementTask {
  readonly engine: EngineDescriptor
  readonly config: Config
  /** Source of each setting that differs from its default; see LoadedConfig. */
  readonly sources: ReadonlyMap<string, string>
  readonly isDemo: boolean
  readonly listening: ManagementListening
  /** Public URL of the service, with its base path. */
  readonly serviceUrl: string
}

/** An event of the management thread. */
export type ManagementEvent =
  | { readonly listening: { readonly publicUrl: string } }
  | { readonly listenError: ListenError }
  | { readonly question: Question }
  | { readonly replaced: ReplacedFile }

/** An error of Node for an address on which a server cannot listen. */
export interface ListenError {
  readonly code: string | undefined
  readonly address: string
  readonly port: number
  readonly message: string
}

/** Callbacks for the events of the management thread. */
export interface ManagementListener {
  onListening(publicUrl: string): void
  onListenError(error: ListenError): void
  onReplaced(replaced: ReplacedFile): void
  /** The thread ended unexpectedly. */
  onEnd(): void
}

/** Maximum wait for requests in progress when the service stops, in milliseconds. */
const stopWithinMs = 10_000

/**
 * Creates the thread of the management server. It starts with its first request, or at once if it has a port of its
 * own.
 */
export function createManagementThread(
  threads: Threads,
  task: ManagementTask,
  live: LiveState,
  listener: ManagementListener,
): Thread<Answer, void, ManagementEvent> {
  const thread = threads.create<Answer, void, ManagementEvent>({
    name: 'management',
    entry: threadEntry('../threads/management', import.meta.url),
    data: task,
    running: 'port' in task.listening ? 'always' : 'on-request',
    stopWithinMs,
    onEnd: listener.onEnd,
    onEvent: event => {
      if ('listening' in event) listener.onListening(event.listening.publicUrl)
      else if ('listenError' in event) listener.onListenError(event.listenError)
      else if ('replaced' in event) listener.onReplaced(event.replaced)
      // The thread may end before it gets the answer.
      else void answerQuestion(live, event.question).then(answer => thread.request(answer).catch(() => {}))
    },
  })
  return thread
}
