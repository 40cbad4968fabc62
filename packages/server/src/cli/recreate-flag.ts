import { InvalidArgumentError, Option } from 'commander'
import { type FolderPart, folderParts } from '../domain/data-folder.ts'

/** The flag of commands that can recreate a part of the data folder. */
export interface RecreateFlag {
  readonly recreate?: readonly FolderPart[]
}

/** Returns the option `--recreate PART`. */
export const recreateOption = (): Option =>
  new Option(
    '--recreate <part>',
    `recreate a missing or damaged part of the data folder, which loses its contents: ${folderParts.join(', ')}; repeatable`,
  ).argParser(addPart)

function addPart(text: string, before: readonly FolderPart[] = []): FolderPart[] {
  const part = folderParts.find(one => one === text)
  if (!part) throw new InvalidArgumentError(`Must be one of ${folderParts.join(', ')}.`)
  return [...before, part]
}
