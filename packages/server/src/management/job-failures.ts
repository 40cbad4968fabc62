import type { AdminFault } from '../domain/admin-fault.ts'
import { defectText } from '../domain/data-folder.ts'
import { NewerSchema, StoreFailure } from '../domain/store-errors.ts'
import { toFaultProblem } from './fault-problems.ts'

/** Returns the message of the fault with which a job has failed. */
export function describeJobFailure(fault: AdminFault): string {
  switch (fault.fault) {
    case 'job_failed':
      return fault.detail
    case 'job_cancelled':
    case 'removal_cancelled':
      return 'The job was cancelled. Start it again to complete it.'
    case 'job_process_ended':
      return 'The process of the job ended before the job did. Start the job again.'
    case 'nothing_imported':
      return 'No rows were imported: all were rejected. See the rejected rows.'
    case 'rejects_not_written':
      return 'The rejected rows could not be written. The rows stored so far remain; start the import again.'
    case 'backup_target_used':
      return `${fault.target} already exists, and backups never overwrite files.`
    case 'backup_target_in_data':
      return `${fault.target} is inside the data folder. Set backup.dir to a folder outside it.`
    case 'copy_damaged':
      return `The copy is damaged and was removed. Verify the data folder. ${fault.problem}`
    case 'data_folder_missing':
      return `There is no Periplus data in ${fault.folder}.`
    case 'data_folder_unusable':
      return `The data folder ${fault.folder} cannot be used. ${fault.defects.map(defectText).join(' ')}`
    case 'schema_newer':
      return new NewerSchema(fault.store, fault.found, fault.known).message
    case 'disk_failed':
      return new StoreFailure(fault.kind, fault.file).message
    default:
      return toFaultProblem(fault).detail
  }
}
