/** Names of the files in the folder of a snapshot that are not delivered. */
export const manifestName = 'manifest.json'
export const goneName = 'gone.json'
export const sourceName = 'source.json'
export const digestsName = 'digests.zst'
export const resultName = 'result.zst'

const internalNames: readonly string[] = [manifestName, goneName, sourceName, digestsName, resultName]

/** Matches names that are safe as file names. */
export const safeName = /^\w[\w.-]*$/

/**
 * Returns true if a snapshot may have a delivered file with this name: it is in the snapshot's folder, and no internal
 * file.
 */
export const isPartName = (name: unknown): boolean =>
  typeof name === 'string' && safeName.test(name) && !internalNames.includes(name)
