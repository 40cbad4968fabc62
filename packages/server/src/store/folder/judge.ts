import type { FolderDefectKind, FolderPart } from '../../domain/data-folder.ts'
import type { ControlReading, DataReading, FolderIdentity } from './identity.ts'
import type { JournalReading } from './journal-folder.ts'
import type { CurrentReading } from './layout.ts'
import type { PepperReading } from './pepper.ts'

/** All parts of a data folder as read from disk. */
export interface PartReadings {
  readonly control: ControlReading
  readonly current: CurrentReading
  readonly data: DataReading
  readonly pepper: PepperReading
  readonly journal: JournalReading
}

/** The parts that cannot be used, and why. */
export type PartDefects = Partial<Record<FolderPart, FolderDefectKind>>

type IntactControl = Extract<ControlReading, { state: 'intact' }>

/** Judges the parts of a data folder. `generation` is the current one according to the control store. */
export function findDefects(readings: PartReadings, generation: string): PartDefects {
  const { control } = readings
  if (control.state !== 'intact') return { control: control.state, ...findUnreadable(readings) }
  const { identity } = control
  if (!identity) return findOldDefects(readings, control)
  const belonging = findBelonging(readings, identity)
  const foreign = belonging.filter(([, isOurs]) => !isOurs)
  // If nothing belongs to the folder of the control store, the control store is what does not belong here.
  if (foreign.length > 1 && foreign.length === belonging.length)
    return { control: 'foreign', ...findUnreadable(readings) }
  return {
    ...findMissing(readings, control, identity, generation),
    ...Object.fromEntries(foreign.map(([part]) => [part, 'foreign'])),
    ...(foreign.length === 0 && isOutdated(readings, control) && { control: 'outdated' }),
  }
}

/**
 * Returns true if the control store lacks ids of stored records, which it would assign again, or decisions about them.
 */
const isOutdated = ({ data }: PartReadings, { revision }: IntactControl): boolean =>
  data.state === 'intact' && data.controlRevision > revision

/** Returns the parts that cannot be used whatever the control store says. */
function findUnreadable({ data, pepper, current, journal }: PartReadings): PartDefects {
  const ids = [data, journal].flatMap(part => (part.state === 'intact' && part.folderId) || [])
  const areDifferent = ids.length > 1 && ids[0] !== ids[1]
  // Without calls, a folder of an earlier release has no journal.
  const mayMissJournal = data.state === 'intact' && data.folderId === undefined && journal.state === 'missing'
  return {
    ...keepDefects({ data, pepper, current, ...(!mayMissJournal && { journal }) }),
    ...(areDifferent && { journal: 'foreign' }),
  }
}

const keepDefects = (
  readings: Partial<Record<FolderPart, { readonly state: FolderDefectKind | 'intact' }>>,
): PartDefects =>
  Object.fromEntries(
    Object.entries(readings).flatMap(([part, { state }]) => (state === 'intact' ? [] : [[part, state]])),
  )

/** For each part that says where it belongs: true if that is the folder of the control store. */
function findBelonging({ data, pepper, journal }: PartReadings, identity: FolderIdentity): [FolderPart, boolean][] {
  const { folderId, storeId, pepperCheck } = identity
  const found: [FolderPart, boolean][] = []
  if (data.state === 'intact' && storeId !== undefined)
    found.push(['data', data.folderId === folderId && data.storeId === storeId])
  if (pepper.state === 'intact' && pepperCheck !== undefined) found.push(['pepper', pepper.check === pepperCheck])
  if (journal.state === 'intact' && journal.folderId !== undefined)
    found.push(['journal', journal.folderId === folderId])
  return found
}

/** Returns the parts that must be there according to the control store and cannot be read. */
function findMissing(
  { data, pepper, current, journal }: PartReadings,
  control: IntactControl,
  identity: FolderIdentity,
  generation: string,
): PartDefects {
  const namesOther = current.state === 'intact' && current.generation !== generation
  return {
    ...(identity.generation !== undefined &&
      keepDefects({ current: namesOther ? { state: 'damaged' as const } : current })),
    ...(identity.storeId !== undefined && keepDefects({ data })),
    ...(identity.pepperCheck !== undefined && keepDefects({ pepper })),
    ...(identity.hasJournal && findJournalDefect(journal, control)),
  }
}

function findJournalDefect(journal: JournalReading, { contents }: IntactControl): PartDefects {
  if (journal.state !== 'intact') return { journal: journal.state }
  return contents.usage && journal.folderId === undefined && !journal.hasFiles ? { journal: 'empty' } : {}
}

/**
 * Judges a folder that an earlier release made, or whose creation has just begun: a part may be missing if nothing in
 * the control store depends on it.
 */
function findOldDefects(readings: PartReadings, control: IntactControl): PartDefects {
  const { data, pepper, current, journal } = readings
  const { ids, digests, usage } = control.contents
  const hasNewerParts = [data, journal].some(part => part.state === 'intact' && part.folderId !== undefined)
  if (hasNewerParts) return { control: 'foreign', ...findUnreadable(readings) }
  const mayMiss = (isNeeded: boolean, defects: PartDefects): PartDefects =>
    isNeeded ? defects : Object.fromEntries(Object.entries(defects).filter(([, kind]) => kind !== 'missing'))
  return {
    ...mayMiss(ids, keepDefects({ data, current })),
    ...mayMiss(digests, keepDefects({ pepper })),
    ...mayMiss(usage, findJournalDefect(journal, control)),
  }
}
