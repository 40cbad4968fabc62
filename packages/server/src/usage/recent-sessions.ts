import type { SessionMark } from '../domain/autocomplete-session.ts'
import type { Ledger } from '../domain/ledger.ts'
import { findBatches } from './batch-frame.ts'
import { decodeRecords } from './journal-calls.ts'
import { DamagedJournalFile, type JournalReader } from './journal-reader.ts'
import { sessionSign } from './record.ts'

/** The use of a session by a call of an earlier process. */
export interface RecordedUse {
  readonly mark: SessionMark
  readonly timeMs: number
}

const sign = Buffer.from(sessionSign)

/**
 * Yields the uses of sessions since a time in the order of the journal, after a fold of all of it. Batches without
 * sessions are not decoded, so that a start does not depend on their number.
 */
export async function* readRecentSessions(
  journal: JournalReader,
  ledger: Pick<Ledger, 'files'>,
  sinceMs: number,
): AsyncGenerator<RecordedUse> {
  const recent = new Set((await ledger.files()).filter(({ lastMs }) => lastMs >= sinceMs).map(({ file }) => file))
  const { files } = await journal.scan()
  for (const file of files.filter(({ number }) => recent.has(number))) {
    const contents = await journal.read(file).catch(ignoreDamage)
    for (const batch of findBatches(contents)) {
      if (!batch.body.includes(sign)) continue
      for (const { session, timeMs } of decodeRecords(batch)) {
        if (session && timeMs >= sinceMs) yield { mark: session, timeMs }
      }
    }
  }
}

/** The fold has reported the damage. */
function ignoreDamage(error: unknown): Buffer {
  if (error instanceof DamagedJournalFile) return Buffer.alloc(0)
  throw error
}
