import { expect, test } from 'vitest'
import { safeTarget } from './target.ts'

test('no address leads elsewhere than to a page of the portal or the console', () => {
  const kept = ['/portal', '/portal/p1/usage?by=day&zone=UTC', '/console', '/console/staff']
  expect(kept.map(safeTarget)).toEqual(kept)
  const others = [
    '',
    '//evil.example',
    '/\\evil.example',
    'https://evil.example/portal',
    '/portalx',
    '/docs',
    '/admin/v1',
  ]
  const passing = [
    '/portal/sign-in',
    '/portal/sign-out',
    '/portal/prove?to=/console',
    '/portal/link/a',
    '/portal/forgotten',
  ]
  const odd = ['/portal/../..//evil.example', 'javascript:alert(1)', '/portal/..', 'http:/portal', 'http://[']
  for (const text of [undefined, ...others, ...passing, ...odd])
    expect([text, safeTarget(text)]).toEqual([text, '/portal'])
  expect(safeTarget('/portal/p\r\nSet-Cookie: a=b')).toBe('/portal/pSet-Cookie:%20a=b')
})
