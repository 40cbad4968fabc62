import { consolePage, type PageRoute } from '../../pages/page-route.ts'
import { addPartner, newPartnerPage } from './create.ts'
import { invite, invitePage } from './invite.ts'
import { changeKeyTerms, keyPage } from './key.ts'
import { endKeySecret, forgive, setKeyState } from './key-actions.ts'
import { partnersPage } from './list.ts'
import { addKey, newKeyPage } from './new-key.ts'
import { showPartner } from './page.ts'
import { movePinPage, pinPage, undoMove } from './pins.ts'
import { addPartnerNote, statementFile } from './records.ts'
import { rotate } from './rotation.ts'
import { changeTerms, editPartnerPage, setPartnerState } from './terms.ts'

const write = { method: 'POST', permission: 'partners:write' } as const
const writeKey = { method: 'POST', permission: 'keys:write' } as const
const one = '/partners/:id'
const key = '/partners/:id/keys/:key'

/** Partners, their keys and their users. */
export const partnerPages: readonly PageRoute[] = [
  consolePage({ method: 'GET', path: '/partners', permission: 'partners:read', handler: partnersPage }),
  consolePage({ method: 'GET', path: '/partners/new', permission: 'partners:write', handler: newPartnerPage }),
  consolePage({ ...write, path: '/partners/new', handler: addPartner }),
  consolePage({ method: 'GET', path: one, permission: 'partners:read', handler: showPartner }),
  consolePage({ method: 'GET', path: `${one}/edit`, permission: 'partners:write', handler: editPartnerPage }),
  consolePage({ ...write, path: `${one}/edit`, handler: changeTerms }),
  consolePage({ ...write, path: `${one}/close`, handler: setPartnerState('closed') }),
  consolePage({ ...write, path: `${one}/open`, handler: setPartnerState('open') }),
  consolePage({ method: 'POST', path: `${one}/notes`, permission: 'partners:note', handler: addPartnerNote }),
  consolePage({ method: 'GET', path: `${one}/invite`, permission: 'users:write', proof: true, handler: invitePage }),
  consolePage({ method: 'POST', path: `${one}/invite`, permission: 'users:write', proof: true, handler: invite }),
  consolePage({ method: 'GET', path: `${one}/statements/:month`, permission: 'usage:read', handler: statementFile }),
  consolePage({ method: 'GET', path: `${one}/keys/new`, permission: 'keys:write', proof: true, handler: newKeyPage }),
  consolePage({ ...writeKey, path: `${one}/keys/new`, proof: true, handler: addKey }),
  consolePage({ method: 'GET', path: key, permission: 'keys:read', handler: keyPage }),
  consolePage({ ...writeKey, path: key, handler: changeKeyTerms }),
  consolePage({ ...writeKey, path: `${key}/state`, handler: setKeyState }),
  consolePage({ ...writeKey, path: `${key}/rotate`, proof: true, handler: rotate }),
  consolePage({ ...writeKey, path: `${key}/end-secret`, handler: endKeySecret }),
  consolePage({ ...writeKey, path: `${key}/forgive`, handler: forgive }),
  consolePage({ method: 'GET', path: `${key}/feeds/:feed`, permission: 'keys:read', handler: pinPage }),
  consolePage({ ...writeKey, path: `${key}/feeds/:feed/move`, handler: movePinPage }),
  consolePage({ ...writeKey, path: `${key}/feeds/:feed/undo`, handler: undoMove }),
]
