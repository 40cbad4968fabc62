import { consolePage, type PageRoute } from '../../pages/page-route.ts'
import { inviteStaff, staffPage, uninviteStaff } from './list.ts'
import { addToken, newTokenPage, revoke } from './tokens.ts'
import { userPage } from './user.ts'
import { createLink, endUserSessions, erase, setRole, setState } from './user-actions.ts'

// Owners alone have this permission; the list of staff is theirs.
const owner = 'tokens:write'
const write = { method: 'POST', permission: 'users:write' } as const
const one = '/staff/:id'

/** Staff, tokens and sessions; and a page of each user, whose actions depend on the reader's role. */
export const staffPages: readonly PageRoute[] = [
  consolePage({ method: 'GET', path: '/staff', permission: owner, handler: staffPage }),
  consolePage({ method: 'POST', path: '/staff/invite', permission: owner, proof: true, handler: inviteStaff }),
  consolePage({ method: 'POST', path: '/staff/uninvite', permission: owner, handler: uninviteStaff }),
  consolePage({ method: 'GET', path: '/staff/tokens/new', permission: owner, proof: true, handler: newTokenPage }),
  consolePage({ method: 'POST', path: '/staff/tokens/new', permission: owner, proof: true, handler: addToken }),
  consolePage({ method: 'POST', path: '/staff/tokens/revoke', permission: owner, proof: true, handler: revoke }),
  consolePage({ method: 'GET', path: one, permission: 'users:read', handler: userPage }),
  consolePage({ ...write, path: `${one}/role`, proof: true, handler: setRole }),
  consolePage({ ...write, path: `${one}/state`, proof: true, handler: setState }),
  consolePage({ ...write, path: `${one}/link`, proof: true, handler: createLink }),
  consolePage({ ...write, path: `${one}/end-sessions`, handler: endUserSessions }),
  consolePage({ ...write, path: `${one}/erase`, proof: true, handler: erase }),
]
