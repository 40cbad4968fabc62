import { consolePage } from '../../pages/page-route.ts'
import { importFormPage, importUploadPage } from './import-form.ts'
import { importListPage } from './import-list.ts'
import { cancelImportPage, importCheckedPage, importPage } from './import-page.ts'

const [read, write] = ['system:read', 'imports:write'] as const

/** Imports: the list, an upload, and the course and result of each. */
export const importPages = [
  consolePage({ method: 'GET', path: '/imports', permission: read, handler: importListPage }),
  consolePage({ method: 'GET', path: '/imports/new', permission: write, handler: importFormPage }),
  consolePage({ method: 'POST', path: '/imports/new', permission: write, handler: importUploadPage }),
  consolePage({ method: 'GET', path: '/imports/:id', permission: read, handler: importPage }),
  consolePage({ method: 'POST', path: '/imports/:id/import', permission: write, handler: importCheckedPage }),
  consolePage({ method: 'POST', path: '/imports/:id/cancel', permission: write, handler: cancelImportPage }),
]
