import { isAdminFault } from '../../../domain/admin-fault.ts'
import { addNote } from '../../../usecases/admin/add-note.ts'
import { makeStatement } from '../../../usecases/admin/make-statement.ts'
import type { ManagementContext } from '../../context.ts'
import { refuseForm } from '../../pages/form-faults.ts'
import type { PageAnswer, PageRequest } from '../../pages/page-route.ts'
import { exportFormat } from '../../shared/export.ts'
import { statementDownload } from '../../shared/statement-file.ts'
import { noteFields } from './notes-card.ts'
import { showPartner } from './page.ts'

/** Adds a note about a partner. */
export async function addPartnerNote(context: ManagementContext, request: PageRequest): Promise<PageAnswer> {
  const { form, actor, params } = request
  const note = await addNote(context.admin, actor, { partnerId: params.id!, text: form.text('text') })
  if (isAdminFault(note)) return showPartner(context, request, refuseForm(noteFields, form, note))
  return { redirect: `/console/partners/${note.partnerId}#notes`, message: 'The note was added.' }
}

/** Returns a statement as CSV, or with `?format=json` as JSON. */
export async function statementFile({ usage }: ManagementContext, request: PageRequest): Promise<PageAnswer> {
  const { actor, params } = request
  const made = await makeStatement(usage, actor, { partnerId: params.id!, month: params.month! })
  return isAdminFault(made) ? made : statementDownload(made, exportFormat(request) ?? 'csv')
}
