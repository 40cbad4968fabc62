import type { RecordKind } from '../domain/stores.ts'
import type { Table } from './formats/open-table.ts'
import type { Format } from './formats/sniff.ts'
import type { MappingDescription } from './mapping/mapping.ts'
import type { Report } from './report.ts'
import type { Rejection } from './row.ts'

/** The detected properties of an input, known after its first rows. */
export interface InputDescription extends MappingDescription {
  readonly format: Format
  /** Unit of the numbers of rejected rows. */
  readonly unit: Table['unit']
  readonly kind: RecordKind
  readonly source: string
}

/** Receives the events of an import. */
export interface ImportObserver {
  described?(description: InputDescription): void
  /** Called with each of the first records, in the form the store receives, preceded by its key. */
  sample?(record: object): void
  /** Called after each batch. */
  progress?(report: Readonly<Report>): void
  rejected?(line: number, text: string, rejection: Rejection): void
}
