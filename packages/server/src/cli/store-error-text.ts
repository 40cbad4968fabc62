import { lossText } from '../domain/data-folder.ts'
import {
  DataFolderServed,
  MissingDataFolder,
  MissingNodeFolder,
  type StoreError,
  StoreFailure,
  UnusableDataFolder,
} from '../domain/store-errors.ts'

/** Returns the message of a store error, with the flags that resolve it. */
export function storeErrorText(error: StoreError): string {
  if (error instanceof MissingNodeFolder)
    return (
      `${error.message} Before the first node of a database, run 'periplus import'. For another one, set ` +
      'PERIPLUS_PEPPER_FILE to a copy of the file pepper of a node: without it, no API key would work.'
    )
  if (error instanceof MissingDataFolder)
    return `${error.message} Run 'periplus import' first, or specify the folder with --data DIR.`
  if (error instanceof DataFolderServed)
    return `${error.message} Stop it, wait for it to stop with --wait SECONDS, or specify another folder with --data DIR.`
  if (error instanceof StoreFailure && error.kind === 'damaged')
    return `${error.message} Run 'periplus verify' to see the damage, or 'periplus restore DIR' to return to a backup.`
  if (error instanceof UnusableDataFolder) return unusableFolderText(error)
  return error.message
}

/** Returns the message of a data folder that is refused, with the ways out. */
function unusableFolderText({ message, folder, defects }: UnusableDataFolder): string {
  const parts = defects.map(({ part }) => part)
  return [
    `${message} Put back what was there, or restore a backup with 'periplus restore BACKUP --data ${folder} --force'.`,
    `To continue without it, add ${parts.map(part => `--recreate ${part}`).join(' ')} to 'periplus serve' or 'periplus import'.`,
    ...parts.map(lossText),
  ].join(' ')
}
