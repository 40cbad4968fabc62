import { describe, expect, test } from 'vitest'
import {
  adminPermissions,
  mayManageUser,
  partnerPermissions,
  partnerUserMay,
  staffMay,
  staffPermissions,
  tokenPermissions,
} from './permissions.ts'

describe('permissions of roles', () => {
  test('owners may do everything, and alone manage tokens, the system and final erasures', () => {
    expect(staffPermissions.owner).toEqual(adminPermissions)
    const missing = adminPermissions.filter(name => !staffMay('operator', name))
    expect(missing).toEqual(['tokens:write', 'reviews:erase', 'system:write'])
  })

  test('support reads, writes notes and opens the pages of partners', () => {
    const others = staffPermissions.support.filter(name => !name.endsWith(':read'))
    expect(others).toEqual(['partners:note', 'partner:view'])
    expect(staffMay('support', 'log:read')).toBe(true)
  })

  test('operators manage the users of partners, owners those of the staff as well', () => {
    expect(['owner', 'operator', 'support'].map(role => mayManageUser(role as 'owner', 'staff'))).toEqual([
      true,
      false,
      false,
    ])
    expect(['owner', 'operator', 'support'].map(role => mayManageUser(role as 'owner', 'partner'))).toEqual([
      true,
      true,
      false,
    ])
  })

  test('members of a partner read and explore; admins also write and manage the team', () => {
    expect(partnerPermissions.member).toEqual(['own:read', 'own:explore', 'own:suggest'])
    expect(partnerUserMay('admin', 'own:team')).toBe(true)
    expect(partnerUserMay('member', 'own:write')).toBe(false)
  })

  test('tokens never manage users or tokens', () => {
    const missing = adminPermissions.filter(name => !tokenPermissions.includes(name))
    expect(missing).toEqual(['partner:view', 'users:write', 'tokens:write'])
  })
})
