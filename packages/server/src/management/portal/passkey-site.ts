import type { PasskeySite } from '../../usecases/admin/passkeys.ts'
import { type BrowserAccess, originsOf } from '../session.ts'

/** Returns the site of passkeys; undefined at an IP address, for which browsers make none. */
export function passkeySiteOf(access: BrowserAccess): PasskeySite | undefined {
  const origins = originsOf(access)
  const named = origins.find(origin => !/^https?:\/\/(\[|\d+\.\d+\.\d+\.\d+(:|$))/.test(origin))
  return named === undefined ? undefined : { id: new URL(named).hostname, origins: [named] }
}
