import { randomBytes } from 'node:crypto'

/** Returns the name to which a damaged file is renamed; backups omit such files. */
export const damagedName = (file: string): string => `${file}.damaged-${randomBytes(4).toString('hex')}`

/** Matches the names that `damagedName` returns. */
export const damagedPattern = /\.damaged-[\da-f]{8}$/
