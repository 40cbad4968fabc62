import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Config } from '../config/load.ts'
import { createProxyMatcher } from '../config/trusted-proxies.ts'
import type { LiveState } from '../domain/live-state.ts'
import type { EngineDescriptor } from '../domain/stores.ts'
import type { ForwardTarget } from '../http/wire/forward.ts'
import type { Logger } from '../kit/log.ts'
import type { Thread } from '../kit/thread.ts'
import type { Threads } from '../kit/threads.ts'
import {
  createManagementThread,
  type ListenError,
  type ManagementEvent,
  type ManagementListening,
} from './management-thread.ts'
import type { Answer } from './questions.ts'
import { logReplacedFile } from './serving-folder.ts'

/** Maximum time for which a request waits for the start of the thread, in milliseconds. */
const startWithinMs = 15_000
/** Maximum length of the path of a Unix socket, in bytes; some systems have less than Linux, which has 107. */
const maxSocketPath = 103

export interface ManagementParts {
  readonly engine: EngineDescriptor
  readonly sources: ReadonlyMap<string, string>
  readonly isDemo: boolean
  readonly threads: Threads
  readonly live: LiveState
  readonly log: Logger
}

/** The management server as the serving process sees it. */
export interface ServingManagement {
  /** The server that requests are forwarded to; undefined if it has a port of its own or is disabled. */
  readonly target: ForwardTarget | undefined
  /**
   * Makes the server available; returns its public URL, or undefined if it is disabled. Rejects with the error of its
   * port.
   */
  listen(serviceUrl: string): Promise<string | undefined>
  close(): Promise<void>
}

/** Creates the management server of a configuration. */
export function createServingManagement(config: Config, parts: ManagementParts): ServingManagement {
  const { enabled, port, host } = config.management
  if (!enabled) return { target: undefined, listen: async () => undefined, close: async () => {} }
  if (port !== undefined) return createWithOwnPort(config, { host, port }, parts)
  const folder = createSocketFolder()
  const server = new ManagementServer(config, { socket: join(folder, 'management') }, parts)
  return {
    target: { connect: () => server.connect(), isProxy: createProxyMatcher(config.server.trustedProxies) },
    listen: async serviceUrl => {
      server.open(serviceUrl)
      return config.management.publicUrl ?? serviceUrl
    },
    close: async () => {
      await server.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function createWithOwnPort(config: Config, listening: ManagementListening, parts: ManagementParts): ServingManagement {
  const server = new ManagementServer(config, listening, parts)
  return {
    target: undefined,
    listen: async serviceUrl => {
      server.open(serviceUrl)
      return server.started()
    },
    close: () => server.close(),
  }
}

/** Creates a folder for the socket that only this user can enter; its path is short enough for a socket. */
function createSocketFolder(): string {
  const isShort = (folder: string) => Buffer.byteLength(join(folder, 'periplus-XXXXXX', 'management')) <= maxSocketPath
  return mkdtempSync(join(isShort(tmpdir()) ? tmpdir() : '/tmp', 'periplus-'))
}

/** The management thread and its state. */
class ManagementServer {
  readonly #config: Config
  readonly #listening: ManagementListening
  readonly #parts: ManagementParts
  #thread: Thread<Answer, void, ManagementEvent> | undefined
  /** Settled by the next start of the thread. */
  #starting = Promise.withResolvers<string>()
  #isListening = false

  constructor(config: Config, listening: ManagementListening, parts: ManagementParts) {
    this.#config = config
    this.#listening = listening
    this.#parts = parts
    this.#starting.promise.catch(() => {})
  }

  /** Creates the thread. */
  open(serviceUrl: string): void {
    const { engine, sources, isDemo, threads, live, log } = this.#parts
    const task = {
      engine: engine.kind === 'sqlite' ? engine : { ...engine, waiting: 'management' as const },
      sources,
      isDemo,
      serviceUrl,
      config: this.#config,
      listening: this.#listening,
    }
    this.#thread = createManagementThread(threads, task, live, {
      onListening: publicUrl => {
        this.#isListening = true
        this.#starting.resolve(publicUrl)
      },
      onListenError: error => this.#restartWaiting(toListenError(error)),
      onReplaced: replaced => logReplacedFile(log, replaced),
      onEnd: () => this.#restartWaiting(new Error('The management thread ended.')),
    })
  }

  /** Resolves with the public URL when the thread listens; rejects with the error of its port. */
  started(): Promise<string> {
    return this.#starting.promise
  }

  /** Starts the thread if it is not running, and returns the path of its socket when it listens. */
  async connect(): Promise<string | { readonly retrySeconds: number }> {
    if (!('socket' in this.#listening) || !this.#thread) return { retrySeconds: 1 }
    if (!this.#isListening) {
      this.#thread.start()
      const { restartMs } = this.#thread
      if (restartMs > 0) return { retrySeconds: restartMs / 1000 }
      if (!(await this.#waitForStart())) return { retrySeconds: 1 }
    }
    return this.#listening.socket
  }

  async close(): Promise<void> {
    await this.#thread?.stop()
  }

  /** Resolves to true when the thread listens; to false if it ends before, or after the maximum wait. */
  async #waitForStart(): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined
    const timeout = new Promise<false>(resolve => {
      timer = setTimeout(resolve, startWithinMs, false)
    })
    const started = this.#starting.promise.then(
      () => true,
      () => false,
    )
    const isStarted = await Promise.race([started, timeout])
    clearTimeout(timer)
    return isStarted
  }

  #restartWaiting(error: Error): void {
    this.#isListening = false
    this.#starting.reject(error)
    this.#starting = Promise.withResolvers()
    this.#starting.promise.catch(() => {})
  }
}

const toListenError = ({ message, ...facts }: ListenError): Error => Object.assign(new Error(message), facts)
