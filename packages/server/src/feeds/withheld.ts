import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Edition } from '../domain/feed.ts'
import type { WithheldBuild } from '../domain/feed-build.ts'
import { replaceFile } from '../kit/replace-file.ts'
import { editionFolder, readJsonFile } from './snapshot-files.ts'

const withheldFile = (root: string, edition: Edition): string => join(editionFolder(root, edition), 'withheld.json')

/** Reads why an edition is withheld; undefined if it is not. */
export function readWithheld(root: string, edition: Edition): WithheldBuild | undefined {
  const { reason, deletions, records, sinceMs, triedMs } =
    readJsonFile<WithheldBuild>(withheldFile(root, edition)) ?? {}
  if (reason === undefined || sinceMs === undefined || triedMs === undefined) return undefined
  const { feed, version } = edition
  return { feed, version, reason, deletions: deletions ?? 0, records: records ?? 0, sinceMs, triedMs }
}

/** Records that an edition is withheld, until a build of it is published. */
export function recordWithheld(root: string, found: Omit<WithheldBuild, 'sinceMs'>): WithheldBuild {
  const withheld = { ...found, sinceMs: readWithheld(root, found)?.sinceMs ?? found.triedMs }
  replaceFile(withheldFile(root, withheld), JSON.stringify(withheld))
  return withheld
}

export const clearWithheld = (root: string, edition: Edition): void =>
  rmSync(withheldFile(root, edition), { force: true })
