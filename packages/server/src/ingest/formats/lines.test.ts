import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { splitLines } from './lines.ts'

async function* chunksOf(bytes: Buffer, sizes: readonly number[]): AsyncGenerator<Buffer> {
  let at = 0
  for (let i = 0; at < bytes.length; i++) {
    const size = sizes[i % sizes.length]!
    yield bytes.subarray(at, at + size)
    at += size
  }
}

async function split(
  text: string | Buffer,
  sizes: readonly number[] = [1_000_000],
  maxBytes = 1000,
): Promise<(string | undefined)[]> {
  const lines: (string | undefined)[] = []
  let expected = 1
  for await (const { number, bytes } of splitLines(chunksOf(Buffer.from(text), sizes), maxBytes)) {
    expect(number).toBe(expected++)
    lines.push(bytes?.toString('latin1'))
  }
  return lines
}

describe('lines of a file (rulings: Import format)', () => {
  it.each([
    ['', []],
    ['a', ['a']],
    ['a\n', ['a']],
    ['a\nb', ['a', 'b']],
    ['a\r\nb\r\n', ['a', 'b']],
    ['\n\n', ['', '']],
    ['a\rb\n', ['a\rb']],
    ['\r\n', ['']],
  ])('%j', async (text, lines) => expect(await split(text)).toEqual(lines))

  it('drops only lines that are too long', async () => {
    expect(await split('aaaa\nbbbbb\ncc\n', [3], 4)).toEqual(['aaaa', undefined, 'cc'])
    expect(await split('aaaaa', [2], 4)).toEqual([undefined])
  })

  it('gives the same lines for any split into chunks', async () => {
    const text = fc
      .array(fc.constantFrom('a', '\n', '\r', '\r\n', 'bcdefgh', '\0', '\xff'), { maxLength: 60 })
      .map(parts => Buffer.from(parts.join(''), 'latin1'))
    const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 10 })
    await fc.assert(
      fc.asyncProperty(text, sizes, fc.integer({ min: 1, max: 12 }), async (bytes, chunks, maxBytes) => {
        expect(await split(bytes, chunks, maxBytes)).toEqual(await split(bytes, [1_000_000], maxBytes))
      }),
      { numRuns: 300 },
    )
  })
})
