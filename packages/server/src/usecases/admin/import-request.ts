import type { AdminFault } from '../../domain/admin-fault.ts'
import type { CategoryAssignment } from '../../domain/category-map.ts'
import type { PossibleDuplicates } from '../../domain/duplicates.ts'
import type { Removal } from '../../domain/full-sync.ts'
import type { FieldMapping, ImportFormat, ImportReport, InputDescription, Rejection } from '../../domain/import.ts'
import type { ImportSurvey } from '../../domain/import-survey.ts'
import type { ImportHolder } from '../../domain/importer.ts'
import type { RecordKind } from '../../domain/record-write.ts'

/** The files to import, and how. Undefined properties of the inputs are detected. */
export interface ImportRequest {
  /** Paths; `-` is standard input. */
  readonly files: readonly string[]
  readonly kind?: RecordKind | undefined
  readonly format?: ImportFormat | undefined
  readonly delimiter?: string | undefined
  readonly fields?: readonly FieldMapping[] | undefined
  readonly source?: string | undefined
  readonly defaultStatus?: 'OPEN' | undefined
  /** JSON or CSV file that assigns words to categories of the tree. */
  readonly categoryMapFile?: string | undefined
  /** Further assignments, which override those of the file. */
  readonly categories?: readonly CategoryAssignment[] | undefined
  /** The files contain everything of `source`: a full sync, which removes all other records of the source. */
  readonly replace?: boolean
  /** Accepts more than 10 % of rejected rows, and removes more than 5 % of the records of a source. */
  readonly force?: boolean
  readonly dryRun?: boolean
  /** False to leave the search index to the service. */
  readonly updateIndex?: boolean
  /** File for the rejected rows. Default: a file for each input in the data folder. */
  readonly rejectsFile?: string | undefined
  /** Called with each complete file of rejected rows, before another import can start. */
  readonly onRejects?: (file: string) => Promise<void>
  /** Cancels the import between two batches. Stored rows remain, and running the import again completes it. */
  readonly signal?: AbortSignal | undefined
  readonly onEvent?: (event: ImportEvent) => void
  /** Longest wait for another import, in milliseconds. Default: 0. */
  readonly waitMs?: number
  /** Job of this import, if a service has started it: such imports run in the order of their requests. */
  readonly job?: string | undefined
}

/** An event of an import. `bytes` and `rows` count from the start of the input or phase. */
export type ImportEvent =
  | { readonly phase: 'queue'; readonly step: 'start'; readonly holder: ImportHolder | undefined }
  | { readonly phase: 'input'; readonly step: 'start'; readonly name: string; readonly totalBytes: number | undefined }
  | { readonly phase: 'input'; readonly step: 'progress'; readonly bytes: number; readonly rows: number }
  | ({ readonly phase: 'input'; readonly step: 'sampled' } & Pick<ImportedInput, 'file' | 'description' | 'samples'>)
  | { readonly phase: 'removal'; readonly step: 'start' }
  | { readonly phase: 'removal'; readonly step: 'progress'; readonly rows: number }
  | { readonly phase: 'index'; readonly step: 'progress'; readonly rows: number; readonly totalRows: number }
  | { readonly phase: 'input' | 'removal' | 'index'; readonly step: 'end' }

/** The result of one input. */
export interface ImportedInput {
  /** Path as given in the request. */
  readonly file: string
  readonly report: ImportReport
  /** undefined when the input was not read at all. */
  readonly description: InputDescription | undefined
  /** The first records, in the form the store receives. */
  readonly samples: readonly object[]
  /** Undefined if no row was rejected. */
  readonly rejectsFile: string | undefined
  readonly firstRejections: readonly (Rejection & { readonly line: number })[]
}

/** The result of an import. */
export interface ImportOutcome {
  readonly inputs: readonly ImportedInput[]
  /** Sums over the inputs; `removed` includes the records that a full sync removed. */
  readonly total: ImportReport
  readonly dryRun: boolean
  /** The source of a full sync. */
  readonly replacedSource: string | undefined
  readonly removals: readonly Removal[]
  /** Undefined without places. */
  readonly survey: ImportSurvey | undefined
  /** Places of several sources with one name; empty if the import has not built the index. */
  readonly possibleDuplicates: readonly PossibleDuplicates[]
  /** Set if the import did not do everything that was requested; stored rows remain. */
  readonly failure: AdminFault | undefined
}
