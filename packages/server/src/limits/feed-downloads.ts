import type { DownloadRefusal } from '../access/download-limits.ts'
import { type Fault, faults } from '../domain/fault.ts'
import {
  type CallFacts,
  type CallLimits,
  type CallOutcome,
  isCharged,
  type Settlement,
  type Ticket,
} from './call-limits.ts'
import type { CallRecorder } from './call-recorder.ts'

/** An open download. `release` is idempotent. */
export interface DownloadSlot {
  readonly release: () => void
}

/** Creates the slot of an open download; `end` is called once. */
export const createSlot = (end: () => void): DownloadSlot => {
  let isOpen = true
  return {
    release: () => {
      if (!isOpen) return
      isOpen = false
      end()
    },
  }
}

/** Counts the downloads of each key. */
export interface OpenDownloads {
  /** Starts a download of a snapshot, or returns a refusal. */
  start(keyId: string, snapshot: string, nowMs: number): Promise<DownloadSlot | DownloadRefusal>
  /** Returns the rate limit headers of a response to this key. */
  headers(keyId: string, nowMs: number): Promise<Record<string, string>>
}

/** Limits of feed downloads. They cost no units. They are checked in `settle`, when the snapshot is known. */
export class FeedDownloadLimits implements CallLimits {
  readonly #downloads: OpenDownloads
  readonly #recorder: CallRecorder

  constructor(downloads: OpenDownloads, recorder: CallRecorder) {
    this.#downloads = downloads
    this.#recorder = recorder
  }

  open(call: CallFacts, denied?: Fault): Ticket {
    const startUs = this.#recorder.nowUs()
    return {
      refusal: denied ?? this.#recorder.refuseUnrecorded(),
      settle: outcome => this.#settle(call, startUs, outcome),
    }
  }

  async #settle(
    call: CallFacts,
    startUs: number,
    { status, snapshot, fault: failure, fields }: CallOutcome,
  ): Promise<Settlement> {
    const started =
      snapshot !== undefined && isCharged(status)
        ? await this.#downloads.start(call.key.id, snapshot, this.#recorder.nowMs())
        : undefined
    const slot = started && 'release' in started ? started : undefined
    const refused = started && 'refused' in started ? started : undefined
    try {
      const refusal = refused && this.#recorder.refuse(refused)
      const headers = await this.#downloads.headers(call.key.id, this.#recorder.nowMs())
      const cause = refusal ?? failure
      const result = await this.#recorder.record({
        call,
        startUs,
        nowUs: this.#recorder.nowUs(),
        status: refusal ? faults[refusal.fault].status : status,
        units: 0,
        refusedBy: refused?.refused ?? [],
        marks: [],
        cause: cause && { fault: cause, fields, policies: headers['RateLimit-Policy'] },
      })
      const unrecorded = this.#recorder.confirm(call.operation, 0, result)
      return { refusal: unrecorded ?? refusal, headers, ...(slot && { release: slot.release }) }
    } catch (error) {
      slot?.release()
      throw error
    }
  }
}
