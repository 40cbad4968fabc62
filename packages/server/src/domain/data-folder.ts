/**
 * The parts without which a data folder is not opened: the stores, the secret of the key digests, the file that names
 * the current generation, and the folder of the usage journal.
 */
export const folderParts = ['control', 'data', 'pepper', 'current', 'journal'] as const

export type FolderPart = (typeof folderParts)[number]

/**
 * `foreign`: it belongs to another data folder. `outdated`: a copy from before other parts were last written.
 * `damaged`: its contents cannot be read.
 */
export type FolderDefectKind = 'missing' | 'empty' | 'foreign' | 'outdated' | 'damaged'

/** A part of a data folder that cannot be used. */
export interface FolderDefect {
  readonly part: FolderPart
  /** Path relative to the data folder, with forward slashes. */
  readonly file: string
  readonly kind: FolderDefectKind
}

/** A problem that a check of a data folder has found. */
export interface FolderProblem {
  /** Path relative to the data folder, with forward slashes. */
  readonly file: string
  /** User-facing sentence. */
  readonly problem: string
}

/** A check of a data folder. */
export interface IntegrityCheck {
  readonly name: string
  /** The parts that the check reads. It is not run if one of them is unusable. */
  readonly reads: readonly FolderPart[]
  problems(): Promise<readonly FolderProblem[]>
}

/** Formats of damaged parts, for messages. */
const formats: Readonly<Record<FolderPart, string>> = {
  control: 'it is not a readable database',
  data: 'it is not a readable database',
  pepper: 'it does not have 64 hexadecimal digits',
  current: 'it does not name the current generation in the folder data',
  journal: 'it is not a folder',
}

/** Returns a user-facing sentence that names the file. */
export function defectText({ part, file, kind }: FolderDefect): string {
  switch (kind) {
    case 'missing':
      return `${file} is missing.`
    case 'empty':
      return part === 'journal' ? `${file} is empty, although calls have been counted.` : `${file} is empty.`
    case 'foreign':
      return `${file} belongs to another data folder.`
    case 'outdated':
      return `${file} is an older copy: places or reviews were stored, or decisions about reviews made, after it.`
    case 'damaged':
      return `${file} is damaged: ${formats[part]}.`
  }
}

const losses: Readonly<Record<FolderPart, string>> = {
  control:
    'Partners, keys, moderation decisions, limits in use, and usage from before the journal are lost. Stored places and ' +
    'reviews keep their ids, but the next import of a source stores its records again under other ids, unless the data ' +
    'store is recreated as well.',
  data: 'All places and reviews are lost. Import them again; they get the same ids.',
  pepper:
    'No API key is accepted any more. Create another secret for each key. Imports accept reviews again that were erased.',
  current: 'Nothing is lost.',
  journal:
    'The records of single calls are lost. Calls that were not yet added to the totals are not billed; the totals are kept.',
}

/** Returns user-facing sentences about what is lost when a part is recreated. */
export const lossText = (part: FolderPart): string => losses[part]
