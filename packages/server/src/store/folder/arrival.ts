import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { StoreError } from '../../domain/store-errors.ts'
import { replaceFile } from '../../kit/replace-file.ts'

/** The move of a database to a folder that is not complete. */
export interface Arrival {
  /** URL of the database, without a password. */
  readonly from: string
  /** Id of the move, which the database gets at its end. */
  readonly id: string
}

const arrivalName = 'ARRIVING'
/** Begin of the names of lock files of moves, which remain when a folder is emptied. */
const lockName = 'migrate-lock.sqlite'

const fileOf = (root: string): string => join(root, arrivalName)

/** Returns the move of a database to the folder that is not complete; undefined without one. */
export const readArrival = (root: string): Arrival | undefined =>
  existsSync(fileOf(root)) ? (JSON.parse(readFileSync(fileOf(root), 'utf8')) as Arrival) : undefined

/** Stores that a database moves to the folder: nothing opens it until the move is complete. */
export const writeArrival = (root: string, arrival: Arrival): void =>
  replaceFile(fileOf(root), `${JSON.stringify(arrival, undefined, 2)}\n`)

/** Completes the move. */
export const completeArrival = (root: string): void => rmSync(fileOf(root), { force: true })

/** Throws StoreError while a database moves to the folder. */
export function requireArrived(root: string): void {
  const arrival = readArrival(root)
  if (arrival)
    throw new StoreError(
      `The contents of ${arrival.from} are being moved to ${root}. Wait until that has ended, or run periplus migrate on it again.`,
    )
}

const listOthers = (root: string): string[] =>
  readdirSync(root).filter(name => name !== arrivalName && !name.startsWith(lockName))

/** Creates a folder. Throws StoreError if it contains anything. */
export function requireEmpty(root: string): void {
  if (existsSync(root) && listOthers(root).length > 0)
    throw new StoreError(`The folder ${root} is not empty. Name a new or empty folder with --data.`)
}

/** Removes what an interrupted move has left in the folder. */
export function clearArrival(root: string): void {
  for (const name of listOthers(root)) rmSync(join(root, name), { recursive: true })
}

/** Creates the folder of a move. */
export const createArrivalFolder = (root: string): void => void mkdirSync(root, { recursive: true, mode: 0o700 })
