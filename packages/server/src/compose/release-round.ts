import type { Releases } from '../domain/releases.ts'
import { repeat } from '../kit/repeat.ts'

/** Interval between attempts, in milliseconds. */
const everyMs = 1000

interface ReleaseRoundOptions {
  /** Called with the names of the older processes that are waited for when they change; empty at the end. */
  readonly onOlder: (names: readonly string[]) => void
  readonly onError: (error: unknown) => void
}

/** Removes what only older releases need once none of them is left. */
export function startReleaseRound(
  releases: Releases,
  { onOlder, onError }: ReleaseRoundOptions,
): { stop(): Promise<void> } {
  let isEnded = false
  let known = ''
  const contract = async () => {
    if (isEnded) return
    const { isDone, older } = await releases.contract()
    const names = older.join(', ')
    if (names !== known) onOlder(older)
    known = names
    isEnded = isDone
  }
  return repeat(contract, { everyMs, onError })
}
