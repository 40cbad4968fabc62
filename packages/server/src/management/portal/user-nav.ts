import type { User } from '../../domain/user.ts'
import { everything } from '../../domain/visibility.ts'
import type { Identity } from '../../usecases/admin/identity.ts'
import type { SectionNav } from '../../web/layout.ts'
import { consoleNav } from '../console/nav.ts'
import { createMay } from '../pages/page-access.ts'
import { partnerNav } from '../partner/nav.ts'

/** Returns the navigation of the profile: of the console, or of the only partner; undefined for other users. */
export async function userNav({ keys }: Pick<Identity, 'keys'>, user: User): Promise<SectionNav | undefined> {
  if (user.staffRole !== undefined) return consoleNav({ user, may: createMay(user, undefined) })
  const [only, ...others] = user.memberships
  const partner = only && others.length === 0 ? await keys.partner(only.partnerId, everything) : undefined
  return partner && partnerNav({ user, partner, may: createMay(user, partner.id) })
}
