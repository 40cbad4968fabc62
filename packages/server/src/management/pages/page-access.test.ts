import { describe, expect, test } from 'vitest'
import type { PartnerRole, StaffRole } from '../../domain/admin-permission.ts'
import { noFactors, type User } from '../../domain/user.ts'
import { createMay, pageAccess } from './page-access.ts'

const user = (roles: { readonly staff?: StaffRole; readonly partner?: PartnerRole }): User => ({
  id: 'u1',
  email: 'u@example.org',
  state: 'active',
  factors: noFactors,
  createdMs: 0,
  revision: 1,
  ...(roles.staff && { staffRole: roles.staff }),
  memberships: roles.partner ? [{ partnerId: 'p1', role: roles.partner }] : [],
})

describe('access to pages', () => {
  test('users of a partner open its pages as their role permits; those of others do not exist for them', () => {
    const [admin, member] = [user({ partner: 'admin' }), user({ partner: 'member' })]
    expect(pageAccess(member, { permission: 'own:read', method: 'GET' }, 'p1')).toBe('allowed')
    expect(pageAccess(member, { permission: 'own:write', method: 'POST' }, 'p1')).toBe('refused')
    expect(pageAccess(admin, { permission: 'own:write', method: 'POST' }, 'p1')).toBe('allowed')
    expect(pageAccess(admin, { permission: 'own:read', method: 'GET' }, 'p2')).toBe('hidden')
    expect(pageAccess(admin, { permission: 'partners:read', method: 'GET' }, undefined)).toBe('hidden')
  })

  test('staff looks at the pages of partners without acting there', () => {
    const [owner, support] = [user({ staff: 'owner' }), user({ staff: 'support' })]
    for (const staff of [owner, support]) {
      expect(pageAccess(staff, { permission: 'own:write', method: 'GET' }, 'p1')).toBe('allowed')
      expect(pageAccess(staff, { permission: 'own:write', method: 'POST' }, 'p1')).toBe('refused')
      expect(createMay(staff, 'p1')('own:write')).toBe(false)
    }
    expect(pageAccess(support, { permission: 'partners:write', method: 'POST' }, undefined)).toBe('refused')
    expect(pageAccess(owner, { permission: 'partners:write', method: 'POST' }, undefined)).toBe('allowed')
  })
})
