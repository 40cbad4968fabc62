import { isDeepStrictEqual } from 'node:util'
import type { FolderDefect, FolderPart } from '../../domain/data-folder.ts'
import type { FolderIdentity, IdentityStores } from './identity.ts'
import { readJournalFolder } from './journal-folder.ts'
import { findDefects, type PartReadings } from './judge.ts'
import { firstGeneration, type Layout, locateLayout, readCurrent } from './layout.ts'
import { readPepper } from './pepper.ts'

/** State of a data folder and of its parts. */
export interface FolderInspection {
  /**
   * `absent`: there is no data folder. `incomplete`: parts must be made or adopted. `complete`: nothing needs to be
   * written before its use.
   */
  readonly state: 'absent' | 'incomplete' | 'complete'
  readonly layout: Layout
  /** Name of the generation in `layout`. */
  readonly generation: string
  /** Id of the folder according to the control store, or else to the parts that survive. */
  readonly folderId: string | undefined
  readonly defects: readonly FolderDefect[]
}

/** Reads all parts of a data folder and judges them; writes nothing. */
export function inspectFolder(root: string, stores: IdentityStores): FolderInspection {
  const control = stores.readControl()
  const identity = control.state === 'intact' ? control.identity : undefined
  const current = readCurrent(root)
  const generation = identity?.generation ?? (current.state === 'intact' ? current.generation : firstGeneration)
  const layout = locateLayout(root, generation)
  const [data, journal] = [stores.readData(generation), readJournalFolder(layout.journal)]
  const readings: PartReadings = { control, current, data, pepper: readPepper(layout.pepper), journal }
  if (isAbsent(readings)) return { state: 'absent', layout, generation, folderId: undefined, defects: [] }
  const defects = findDefects(readings, generation)
  // Another process may have made the folder during this.
  if (Object.keys(defects).length > 0 && !isDeepStrictEqual(stores.readControl(), control))
    return inspectFolder(root, stores)
  return {
    state: isComplete(identity, readings) ? 'complete' : 'incomplete',
    layout,
    generation,
    folderId: (defects.control ? undefined : identity?.folderId) ?? getSurvivingId(readings),
    defects: Object.entries(defects).map(([part, kind]) => ({
      part: part as FolderPart,
      file: getPartFile(part as FolderPart, stores, generation),
      kind,
    })),
  }
}

/** Returns the file of a part, relative to the data folder. */
function getPartFile(part: FolderPart, stores: IdentityStores, generation: string): string {
  const files: Readonly<Record<FolderPart, string>> = {
    control: stores.fileOf('control', generation),
    data: stores.fileOf('data', generation),
    pepper: 'pepper',
    current: 'data/CURRENT',
    journal: 'journal',
  }
  return files[part]
}

/** Returns true if no part has ever had contents: creating the folder has not begun, or has just begun. */
const isAbsent = ({ control, data, pepper, journal }: PartReadings): boolean =>
  control.state !== 'intact' &&
  control.isNew === true &&
  [data, pepper, journal].every(({ state }) => state === 'missing')

const isComplete = (identity: FolderIdentity | undefined, { journal }: PartReadings): boolean =>
  identity?.generation !== undefined &&
  identity.storeId !== undefined &&
  identity.pepperCheck !== undefined &&
  identity.hasJournal &&
  journal.state === 'intact' &&
  journal.folderId !== undefined

const getSurvivingId = ({ data, journal }: PartReadings): string | undefined =>
  (data.state === 'intact' ? data.folderId : undefined) ?? (journal.state === 'intact' ? journal.folderId : undefined)
