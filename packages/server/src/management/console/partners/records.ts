import { isAdminFault } from '../../../domain/admin-fault.ts'
import { statementCsv, statementResource } from '../../../resources/usage.ts'
import { addNote } from '../../../usecases/admin/add-note.ts'
import { makeStatement } from '../../../usecases/admin/make-statement.ts'
import type { ManagementContext } from '../../context.ts'
import type { PageAnswer, PageRequest } from '../../pages/page-route.ts'

/** Adds a note about a partner. */
export async function addPartnerNote({ admin }: ManagementContext, request: PageRequest): Promise<PageAnswer> {
  const { form, actor, params } = request
  const note = await addNote(admin, actor, { partnerId: params.id!, text: form.text('text') })
  if (isAdminFault(note)) return note
  return { redirect: `/console/partners/${note.partnerId}#notes`, message: 'The note was added.' }
}

/** Returns a statement as CSV. */
export async function statementFile({ usage }: ManagementContext, request: PageRequest): Promise<PageAnswer> {
  const { actor, params } = request
  const made = await makeStatement(usage, actor, { partnerId: params.id!, month: params.month! })
  if (isAdminFault(made)) return made
  return {
    fileName: `statement-${made.partnerId}-${made.month}.csv`,
    type: 'text/csv; charset=utf-8',
    body: statementCsv(statementResource(made)),
  }
}
