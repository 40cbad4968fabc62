import { consolePage } from '../../pages/page-route.ts'
import { acceptPage, rejectPage, suggestionPage } from './detail.ts'
import { suggestionsPage } from './list.ts'

const read = { method: 'GET', permission: 'system:read' } as const
const decide = { method: 'POST', permission: 'places:write' } as const

/** Suggestions of users for places: the queue, and the decision on each. */
export const suggestionPages = [
  consolePage({ ...read, path: '/suggestions', handler: suggestionsPage }),
  consolePage({ ...read, path: '/suggestions/:id', handler: suggestionPage }),
  consolePage({ ...decide, path: '/suggestions/:id/accept', handler: acceptPage }),
  consolePage({ ...decide, path: '/suggestions/:id/reject', handler: rejectPage }),
]
