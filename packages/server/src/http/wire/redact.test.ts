import { describe, expect, it } from 'vitest'
import { redact } from './redact.ts'

describe('a URL in the log (R-01)', () => {
  it.each([
    ['/a', '/a'],
    ['/a?b=c', '/a?b=c'],
    ['/a?key=s', '/a?key=***'],
    ['/a?b=c&api_key=s&d=e', '/a?b=c&api_key=***&d=e'],
    ['/a?KEY=s', '/a?KEY=***'],
    ['/a?%6bey=s&k%65y=t', '/a?%6bey=***&k%65y=***'],
    ['/a?api%5Fkey=s', '/a?api%5Fkey=***'],
    ['/a?key=s&key=t', '/a?key=***&key=***'],
    ['/a?monkey=s', '/a?monkey=s'],
    ['/places?near=40.4,-3.7&q=a', '/places?near=***&q=a'],
    ['/places?q=a&ne%61r=40.4%2C-3.7', '/places?q=a&ne%61r=***'],
    ['/locations/nearby?nearest=1', '/locations/nearby?nearest=1'],
    ['/a?keys=s', '/a?keys=s'],
    ['/a?%=s&key=t', '/a?%=s&key=***'],
    ['/a?q=peri_live_abc123', '/a?q=peri_live_***'],
    ['/peri_test_abc123/x', '/peri_test_***/x'],
    ['/x/peri%5Flive_abc123?b=c', '/***'],
    ['/x?q=peri_live_abc&r=%70eri_live_abc%', '/***'],
    ['/x?q=%E3%83%97%20%', '/x?q=%E3%83%97%20%'],
  ])('%s: %s', (url, expected) => expect(redact(url)).toBe(expected))
})
