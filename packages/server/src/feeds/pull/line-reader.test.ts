import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LineReader } from './line-reader.ts'

async function* cutAt(bytes: Buffer, sizes: readonly number[]): AsyncGenerator<Buffer> {
  for (let at = 0, i = 0; at < bytes.length; i++) {
    const size = sizes[i % sizes.length]!
    // A copy, as a stream may use its memory again.
    yield Buffer.from(bytes.subarray(at, at + size))
    at += size
  }
}

async function linesOf(bytes: Buffer, sizes: readonly number[]): Promise<string[]> {
  const reader = new LineReader(cutAt(bytes, sizes))
  const lines: string[] = []
  while (reader.tryNext() || (await reader.more())) lines.push(reader.bytes.toString('utf8', reader.start, reader.end))
  return lines
}

describe('lines of a stream, wherever it is cut', () => {
  it('are those of the whole text', async () => {
    const line = fc.string({ unit: 'grapheme' }).map(text => text.replaceAll('\n', ' '))
    const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 })
    await fc.assert(
      fc.asyncProperty(fc.array(line), sizes, async (lines, sizes) => {
        expect(await linesOf(Buffer.from(lines.map(text => `${text}\n`).join('')), sizes)).toEqual(lines)
      }),
    )
  })

  it('may lack their last line end, and be longer than any buffer', async () => {
    const long = 'é'.repeat(2_000_000)
    expect(await linesOf(Buffer.from(`a\n\n${long}\nb`), [65_536])).toEqual(['a', '', long, 'b'])
    expect(await linesOf(Buffer.from(`${long}\nb\n`), [5_000_000])).toEqual([long, 'b'])
  })

  it('are refused over 64 MB', async () => {
    await expect(linesOf(Buffer.alloc(70_000_000, 65), [1_000_000])).rejects.toThrow(RangeError)
  })
})
