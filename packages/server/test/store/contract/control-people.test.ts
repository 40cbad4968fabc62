import { expect, test } from 'vitest'
import { newPartnerTerms } from '../../../src/domain/partner.ts'
import type { Link } from '../../../src/domain/session.ts'
import { everything } from '../../../src/domain/visibility.ts'
import { record } from '../../record.ts'
import { describeControl, digestOf, userNamed } from './control.ts'

describeControl('users, sessions and links', open => {
  test('users keep their members, memberships and factors', async () => {
    const [{ people, keys }] = open()
    await keys.createPartner({ id: 'acme', name: 'Acme', ...newPartnerTerms, createdMs: 0, revision: 1 }, record())
    await keys.createPartner({ id: 'brix', name: 'Brix', ...newPartnerTerms, createdMs: 0, revision: 1 }, record())
    const owner = userNamed('owner', { staffRole: 'owner', zone: 'Europe/Berlin', name: 'Öwner', createdMs: 5 })
    const admin = userNamed('admin', {
      memberships: [
        { partnerId: 'acme', role: 'admin' },
        { partnerId: 'brix', role: 'member' },
      ],
      mails: { 'key.created': false },
      unconfirmed: true,
      createdMs: 6,
    })
    expect(await people.users.hasOwner()).toBe(false)
    expect([await people.users.create(owner, record()), await people.users.create(admin, record())]).toEqual([
      true,
      true,
    ])
    expect(await people.users.create({ ...admin, id: 'other' }, record())).toBe(false)
    expect(await people.users.list()).toEqual([owner, admin])
    expect(await people.users.list('brix')).toEqual([admin])
    expect(await people.users.byEmail('admin@example.org')).toEqual(admin)
    expect([await people.users.byEmail('x@example.org'), await people.users.get('x')]).toEqual([undefined, undefined])
    expect(await people.users.hasOwner()).toBe(true)

    const changed = await people.users.update('admin', 1, { name: 'Ann', mails: {} }, record())
    expect(changed).toEqual({ ...admin, name: 'Ann', mails: undefined, revision: 2 })
    const refusals = [
      await people.users.update('admin', 1, { name: 'Bo' }, record()),
      await people.users.update('admin', 2, { email: 'owner@example.org' }, record()),
      await people.users.update('admin', 2, { memberships: [] }, record()),
      await people.users.update('owner', 1, { state: 'disabled' }, record()),
      await people.users.erase('owner', record()),
      await people.users.erase('nobody', record()),
    ]
    expect(refusals).toEqual(['changed_meanwhile', 'email_used', 'last_admin', 'last_owner', 'last_owner', 'unknown'])
    const invitation: Link = {
      purpose: 'invitation',
      email: 'new@example.org',
      role: 'admin',
      partnerId: 'acme',
      createdMs: 1,
      expiresMs: 100,
    }
    await people.links.add(invitation, digestOf('i'), record())
    expect(await people.users.update('admin', 2, { state: 'disabled' }, record(), 100)).toBe('last_admin')
    expect(await people.users.update('admin', 2, { state: 'disabled' }, record(), 99)).toMatchObject({ revision: 3 })
    expect(await people.users.erase('admin', record())).toBe('erased')
    expect(await people.users.list('acme')).toEqual([])
  })

  test('credentials are kept, used once and removed', async () => {
    const [{ people }] = open()
    const { credentials } = people
    await people.users.create(userNamed('cred'), record())
    const totp = { secret: digestOf('t'), step: 7 }
    const recoveryCodes = [digestOf('1'), digestOf('2')]
    await credentials.change('cred', { password: 'phc', totp, oidcSub: 'sub', recoveryCodes }, record())
    expect(await credentials.get('cred')).toEqual({ password: 'phc', totp: digestOf('t') })
    expect(await people.users.byOidcSub('sub')).toMatchObject({
      id: 'cred',
      factors: { password: true, totp: true, oidc: true, passkeys: 0, recoveryCodes: 2 },
      revision: 2,
    })
    const steps = [await credentials.useTotpStep('cred', 7), await credentials.useTotpStep('cred', 8)]
    expect([...steps, await credentials.useTotpStep('cred', 8)]).toEqual([false, true, false])
    const use = () => credentials.useRecoveryCode('cred', digestOf('1'))
    expect([await use(), await use()]).toEqual([true, false])
    const passkey = {
      id: 'pk',
      userId: 'cred',
      publicKey: Buffer.from([1, 0, 255]),
      counter: 3,
      name: 'Laptop',
      createdMs: 9,
    }
    expect([await credentials.addPasskey(passkey, record()), await credentials.addPasskey(passkey, record())]).toEqual([
      true,
      false,
    ])
    await credentials.usedPasskey('pk', 4)
    expect(await credentials.passkeys('cred')).toEqual([{ ...passkey, counter: 4 }])
    expect(await credentials.removePasskey('owner', 'pk', record())).toBe(false)
    await credentials.reset('cred', record())
    expect(await credentials.passkey('pk')).toBeUndefined()
    expect((await people.users.get('cred'))?.factors).toMatchObject({ totp: false, recoveryCodes: 0, password: true })
    await credentials.change('cred', { confirmsEmail: true }, record())
    expect(await credentials.get('cred')).toEqual({})
    expect(await credentials.get('nobody')).toBeUndefined()
  })

  test('sessions are found by digest, and end one by one, by user and all', async () => {
    const [{ people }] = open()
    const { sessions } = people
    await people.users.create(userNamed('sess'), record())
    const session = (id: string, createdMs: number) => ({ id, userId: 'sess', createdMs, seenMs: createdMs })
    for (const id of ['a', 'b', 'c', 'd'])
      await sessions.create({ ...session(id, id.charCodeAt(0)), address: '::1', agent: 'x' }, digestOf(id), record())
    expect((await sessions.list('sess')).map(({ id }) => id)).toEqual(['d', 'c', 'b', 'a'])
    await sessions.seen('a', { seenMs: 200, provedMs: 150 })
    await sessions.seen('a', { seenMs: 199 })
    const found = await sessions.byDigest(digestOf('a'))
    expect(found?.session).toEqual({ ...session('a', 97), seenMs: 200, provedMs: 150, address: '::1', agent: 'x' })
    expect(found?.user).toMatchObject({ id: 'sess', lastSignInMs: 100 })
    expect(await sessions.byDigest(digestOf('z'))).toBeUndefined()
    expect(await sessions.end({ id: 'b' }, record())).toBe(1)
    expect(await sessions.end({ id: 'b' }, record())).toBe(0)
    expect(await sessions.end({ userId: 'sess', exceptId: 'a' }, record())).toBe(2)
    expect((await sessions.get('a'))?.id).toBe('a')
    await people.users.update('sess', 1, { state: 'disabled' }, record())
    expect(await sessions.get('a')).toBeUndefined()
    await people.users.erase('sess', record())
    expect(await sessions.end({ all: true }, record())).toBe(0)
  })

  test('links replace earlier ones of the same person, and work once', async () => {
    const [{ people }] = open()
    const { links } = people
    const link: Link = { purpose: 'invitation', email: 'l@example.org', role: 'support', createdMs: 1, expiresMs: 50 }
    await links.add(link, digestOf('one'), record())
    await links.add({ ...link, createdMs: 2 }, digestOf('two'), record())
    expect(await links.byDigest(digestOf('one'))).toBeUndefined()
    await links.mailed(digestOf('two'))
    const known: Link = { ...link, createdMs: 2, mailed: true }
    expect(await links.invitationOf('l@example.org', 49)).toEqual({ link: known, digest: digestOf('two') })
    expect(await links.invitationOf('l@example.org', 50)).toBeUndefined()
    expect(await links.invitations(undefined, 49)).toEqual([known])
    expect(await links.invitations('acme', 49)).toMatchObject([{ email: 'new@example.org' }])
    const user = { create: userNamed('linked', { email: 'l@example.org', staffRole: 'support' }) }
    const use = {
      digest: digestOf('two'),
      nowMs: 10,
      user,
      password: 'phc',
      session: { session: { id: 's', userId: 'linked', createdMs: 10, seenMs: 10 }, digest: digestOf('s') },
    }
    expect(await links.use({ ...use, nowMs: 50 }, record())).toBe(false)
    expect(await people.users.get('linked')).toBeUndefined()
    expect(await links.use(use, record())).toBe(true)
    expect(await links.use({ ...use, user: { create: userNamed('again') } }, record())).toBe(false)
    expect(await people.users.get('again')).toBeUndefined()
    expect(await links.byDigest(digestOf('two'))).toEqual({ ...known, usedMs: 10 })
    expect((await people.sessions.byDigest(digestOf('s')))?.user.factors.password).toBe(true)
    expect(await links.endInvitation('new@example.org', undefined, record())).toBe(false)
    expect(await links.endInvitation('new@example.org', 'acme', record())).toBe(true)
    await links.end('invitation')
    expect(await links.byDigest(digestOf('two'))).toBeUndefined()
  })

  test('open sign-ins are taken once, and what has ended is pruned', async () => {
    const [{ people }] = open()
    const { signIns } = people
    const signIn = { kind: 'passkey', data: '{}', expiresMs: 100 } as const
    await signIns.add(signIn, digestOf('p'), 0)
    expect(await signIns.get(digestOf('p'), 'oidc', 0)).toBeUndefined()
    expect(await signIns.get(digestOf('p'), 'passkey', 99)).toEqual(signIn)
    expect(await signIns.take(digestOf('p'), 'passkey', 99)).toEqual(signIn)
    expect(await signIns.take(digestOf('p'), 'passkey', 99)).toBeUndefined()
    await signIns.add(signIn, digestOf('q'), 0)
    await people.prune({ seenBeforeMs: 11, createdBeforeMs: 0, nowMs: 100 })
    expect(await people.sessions.list()).toEqual([])
    expect(await signIns.get(digestOf('q'), 'passkey', 0)).toBeUndefined()
    await people.signOutEverybody()
  })

  test('each change wrote its line of the audit, in order', async () => {
    const [{ audit }] = open()
    const { lines } = await audit.list({ visibility: everything, limit: 1000 })
    expect(lines.length).toBeGreaterThan(20)
    expect(lines.map(({ seq }) => seq)).toEqual(lines.map(({ seq }) => seq).sort((a, b) => b - a))
  })
})
