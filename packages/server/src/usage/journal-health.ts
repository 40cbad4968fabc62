import { type JournalDamage, type JournalLoss, journalDamageText, journalLossText } from './journal-losses.ts'
import type { Restoration } from './open-file.ts'

/** Maximum number of notes; `JournalHealth` counts the others. */
const maxNotes = 5

const displacements = { removed: 'was removed', replaced: 'was replaced', shortened: 'was shortened' }

/** The damage to the journal since the start of the process, for the log, the notes of /readyz, and metrics. */
export class JournalHealth {
  readonly #onDamage: (message: string) => void
  /** The latest messages. */
  readonly #messages: string[] = []
  #earlier = 0
  /** Files that were displaced while they were open, and have been written again. */
  #restored = 0
  /** Files that were found missing or shortened. */
  #lost = 0

  /** `onDamage` is called once with each message. */
  constructor(onDamage: (message: string) => void) {
    this.#onDamage = onDamage
  }

  addLosses(losses: readonly JournalLoss[]): void {
    for (const loss of losses) {
      this.#lost++
      this.#add(`${journalLossText(loss)} Counting continues in a new file.`)
    }
  }

  /** Adds damage to a file; `lostBytes` is the number of bytes that could not be written again. */
  addDamage(damage: JournalDamage, lostBytes: number): void {
    if (lostBytes > 0) this.#lost++
    else this.#restored++
    const outcome =
      lostBytes > 0
        ? `The calls in ${lostBytes} of them are lost.`
        : 'Every call that the ledger did not have is written again.'
    this.#add(`${journalDamageText(damage)} ${outcome}`)
  }

  addRestoration({ file, displacement, lostBytes }: Restoration): void {
    this.#restored++
    const outcome =
      lostBytes === 0
        ? 'Every call that the ledger did not have is written again, and counting continues in a new file.'
        : `Counting continues in a new file, but ${lostBytes} bytes of calls that the ledger did not have are lost.`
    this.#add(`File ${file} of the journal ${displacements[displacement]} while it was in use. ${outcome}`)
  }

  /** Returns user-facing messages of the latest damage. */
  notes(): string[] {
    const earlier = this.#earlier
    return [
      ...this.#messages,
      ...(earlier > 0 ? [`The journal has been damaged ${earlier} more times; the log has the details.`] : []),
    ]
  }

  /** Returns the number of damaged files by outcome. */
  counts(): { readonly restored: number; readonly lost: number } {
    return { restored: this.#restored, lost: this.#lost }
  }

  #add(message: string): void {
    if (this.#messages.push(message) > maxNotes) {
      this.#messages.shift()
      this.#earlier++
    }
    this.#onDamage(message)
  }
}
