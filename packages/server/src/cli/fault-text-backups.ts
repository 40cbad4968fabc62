import type { AdminFaultCode, AdminFaultOf, BackupDamage } from '../domain/admin-fault.ts'
import { StoreFailure } from '../domain/store-errors.ts'
import { formatGigabytes } from '../kit/bytes.ts'
import { CommandError } from './errors.ts'
import { storeErrorText } from './store-error-text.ts'

const commandError = (text: string): Error => new CommandError(text)

/** The message and exit code of each fault of backups, copies and restores. */
export const backupFaultErrors = {
  backup_target_in_data: ({ target, data }) =>
    commandError(
      `${target} is inside the data folder ${data}. Specify a folder outside it, preferably on another disk.`,
    ),
  backup_target_used: ({ target }) =>
    commandError(`${target} already exists, and backups never overwrite files. Specify a new folder.`),
  space_missing: ({ folder, neededBytes, freeBytes }) =>
    commandError(
      `${folder} needs ${formatGigabytes(neededBytes)}, but only ${formatGigabytes(freeBytes)} are free. ` +
        'Free some disk space, or specify another folder.',
    ),
  copy_damaged: ({ problem }) =>
    commandError(`The copy is damaged and was removed. Run 'periplus verify' to check the data folder. ${problem}`),
  data_folder_not_empty: ({ folder }) =>
    commandError(`${folder} is not empty. Specify another folder with --data DIR, or add --force to rename it first.`),
  data_folder_in_use: ({ folder }) =>
    commandError(
      `A service or an import is using ${folder}. Stop it first, or specify another folder with --data DIR.`,
    ),
  backup_missing: ({ backup }) =>
    commandError(`The folder ${backup} does not exist. Specify a folder that 'periplus backup' created.`),
  backup_incomplete: ({ backup, manifest }) =>
    commandError(`${backup} is not a complete backup: it has no ${manifest}. Specify the folder of a complete backup.`),
  backup_newer: ({ backup, schema }) =>
    commandError(
      schema
        ? `${schema.store} of the backup has schema version ${schema.found}; this release supports versions up to ` +
            `${schema.supported}. The backup was made by a newer release (${schema.release}). Use that release to restore it.`
        : `${backup} was written by a newer release. Use that release to restore it.`,
    ),
  backup_damaged: ({ file, damage }) => commandError(`${damageText(file, damage)} Use another backup.`),
  disk_full: ({ file }) =>
    commandError(
      `${file} cannot be written: its disk is full. The incomplete copy was removed. Free some disk space and try again.`,
    ),
  disk_failed: ({ kind, file }) => commandError(storeErrorText(new StoreFailure(kind, file))),
} satisfies { readonly [C in AdminFaultCode]?: (fault: AdminFaultOf<C>) => Error }

function damageText(file: string, damage: BackupDamage): string {
  switch (damage.kind) {
    case 'unreadable':
      return `${file} is damaged.`
    case 'missing':
      return `${file} is missing from the backup.`
    case 'checksum':
      return `${file} of the backup is damaged: its checksum differs from the one in backup.json.`
    case 'size':
      return `${file} of the backup has ${damage.bytes} bytes instead of ${damage.expectedBytes}.`
  }
}
