import { existsSync, readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { feedNames } from '../../domain/feed.ts'
import { listEditions } from '../list-editions.ts'
import { editionFolder, snapshotIdPattern } from '../snapshot-files.ts'
import { digestsName, goneName, isPartName, manifestName, resultName, sourceName } from '../snapshot-names.ts'

/** Files with JSON or a key, whose contents are in the catalogue itself. */
const rootNames = ['erasures.json', 'signing-key.pem']
const editionNames = ['last.json', 'withheld.json']
const snapshotNames = [manifestName, goneName, sourceName]

/** Returns true for a path in a folder of feeds whose contents are in the catalogue. */
export const isSmall = (path: string): boolean =>
  [...rootNames, ...editionNames, ...snapshotNames].includes(basename(path))

/** Returns true for a path in a folder of feeds that nodes share. No other path is ever written. */
export function isFeedPath(path: string): boolean {
  const [feed = '', version = '', id = '', name, ...rest] = path.split('/')
  if (version === '') return rootNames.includes(feed)
  if (!feedNames.some(known => known === feed) || !/^v\d+$/.test(version) || rest.length > 0) return false
  return name === undefined ? editionNames.includes(id) : snapshotIdPattern.test(id) && isSnapshotFile(name)
}

const isSnapshotFile = (name: string): boolean =>
  [...snapshotNames, digestsName, resultName].includes(name) || (isPartName(name) && !name.endsWith('.tmp'))

/** Returns the paths of the files in a folder of feeds that nodes share. */
export function listFeedPaths(root: string): string[] {
  const found = listEditions(root).flatMap(edition => {
    const home = editionFolder(root, edition)
    const name = `${edition.feed}/v${edition.version}`
    return readdirSync(home, { withFileTypes: true }).flatMap(entry => {
      const path = `${name}/${entry.name}`
      if (!entry.isDirectory()) return [path]
      return snapshotIdPattern.test(entry.name)
        ? readdirSync(join(home, entry.name)).map(file => `${path}/${file}`)
        : []
    })
  })
  return [...rootNames.filter(name => existsSync(join(root, name))), ...found].filter(isFeedPath)
}

/** Returns the key of a file in the blobs. It contains the SHA-256, so that no other file can have it. */
export const keyOfFile = (path: string, sha256: string): string => `feeds/${dirname(path)}/${sha256}-${basename(path)}`
