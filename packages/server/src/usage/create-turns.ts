import type { BatchStore } from '../domain/usage.ts'
import { StoredTurns } from './stored-turns.ts'
import { TurnBatch, type Turns, type WriteBatch } from './turn-batch.ts'

/** Returns what collects records; with `store`, their batches are stored there before they are written. */
export const createTurns = (
  endOfTurn: (work: () => void) => void,
  write: WriteBatch,
  store: BatchStore | undefined,
): Turns => (store ? new StoredTurns(endOfTurn, write, store) : new TurnBatch(endOfTurn, write))
