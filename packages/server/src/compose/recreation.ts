import type { Config } from '../config/load.ts'
import { defectText, type FolderPart, lossText } from '../domain/data-folder.ts'
import { recreateParts } from '../store/engine.ts'
import { describeEngine } from './engine.ts'

/** The outcome for one part; the message is user-facing. */
export interface PartOutcome {
  readonly part: FolderPart
  readonly isRecreated: boolean
  readonly message: string
}

/**
 * Recreates the defective ones among `parts` of the configured data folder, and keeps the others.
 * Throws MissingDataFolder, LockHeld, and UnusableDataFolder if other parts are defective.
 */
export function recreateFolderParts(config: Config, parts: readonly FolderPart[], nowMs: number): PartOutcome[] {
  const defects = recreateParts(describeEngine(config), parts, nowMs)
  return [...new Set(parts)].map(part => {
    const defect = defects.find(found => found.part === part)
    return defect
      ? { part, isRecreated: true, message: `${defectText(defect)} It was recreated. ${lossText(part)}` }
      : { part, isRecreated: false, message: `The part ${part} of the data folder is intact and was kept.` }
  })
}
