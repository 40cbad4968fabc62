/**
 * Opens a data folder, and creates it if it is missing. Further arguments are names of parts, which are recreated
 * instead. Prints the id of the data folder.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FolderPart } from '../../domain/data-folder.ts'
import { openFolder, recreateParts } from '../engine.ts'
import { journalMarker } from './journal-folder.ts'

const [folder = '', ...parts] = process.argv.slice(2)
if (parts.length > 0) recreateParts({ kind: 'sqlite', folder }, parts as FolderPart[], 0)
const { journal } = openFolder({ kind: 'sqlite', folder }, { create: true })
process.stdout.write(readFileSync(join(journal, journalMarker), 'utf8'))
