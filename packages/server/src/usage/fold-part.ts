import type { FoldedFile, UsageCursor } from '../domain/ledger.ts'
import { formatCursor } from './journal-position.ts'
import { Sums } from './sums.ts'

/** The part of the journal that one transaction adds to the ledger. */
export class FoldPart {
  readonly sums = new Sums()
  /** Ids of the batches, if these were stored before they were written. */
  readonly batches: string[] = []
  /** The state of each file after the part. */
  readonly files = new Map<number, FoldedFile>()

  fold() {
    const { batches } = this
    return { files: [...this.files.values()], ...(batches.length > 0 && { batches }), ...this.sums.fold() }
  }

  /** Returns the position after the part. */
  end(): UsageCursor {
    const { file, bytes } = [...this.files.values()].at(-1)!
    return formatCursor({ file, offset: bytes })
  }
}
