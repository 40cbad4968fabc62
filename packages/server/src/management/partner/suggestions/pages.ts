import { partnerPage } from '../../pages/page-route.ts'
import { ownSuggestionsPage } from './list.ts'
import { newSuggestionPage, suggestPage } from './new.ts'

const create = { path: '/suggestions/new', permission: 'own:suggest' } as const

/** Suggestions of the users of a partner for places. */
export const ownSuggestionPages = [
  partnerPage({ method: 'GET', path: '/suggestions', permission: 'own:read', handler: ownSuggestionsPage }),
  partnerPage({ ...create, method: 'GET', handler: newSuggestionPage }),
  partnerPage({ ...create, method: 'POST', handler: suggestPage }),
]
