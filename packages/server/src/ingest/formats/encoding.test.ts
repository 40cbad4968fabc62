import { describe, expect, test } from 'vitest'
import { detectUtf16, TextDecoding, toUtf8 } from './encoding.ts'

async function* chunksOf(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function decode(bytes: Buffer, size: number): Promise<[encoding: string, text: string]> {
  const decoding = new TextDecoding()
  const parts: Buffer[] = []
  for await (const part of decoding.decode(chunksOf(bytes, size))) parts.push(part)
  return [decoding.encoding, Buffer.concat(parts).toString()]
}

const text = 'name;Straße\nCafé “Größe”;Königsallee 5\n'
const windows1252 = Buffer.from(text.replace('“', '\x93').replace('”', '\x94'), 'latin1')

describe('Windows-1252 and UTF-8', () => {
  const cases: [name: string, bytes: Buffer, expected: [string, string]][] = [
    ['Windows-1252', windows1252, ['Windows-1252', text]],
    ['UTF-8', Buffer.from(text), ['UTF-8', text]],
    ['ASCII', Buffer.from('name\nPrado\n'), ['UTF-8', 'name\nPrado\n']],
    [
      'Windows-1252 after much ASCII',
      Buffer.from(`${'a,b\n'.repeat(50)}\xe9t\xe9\n`, 'latin1'),
      ['Windows-1252', `${'a,b\n'.repeat(50)}été\n`],
    ],
    ['a last letter of Windows-1252', Buffer.from('caf\xe9', 'latin1'), ['Windows-1252', 'café']],
  ]
  test.each(cases)('%s, in chunks of any size', async (_name, bytes, expected) => {
    for (const size of [bytes.length, 64, 1]) expect(await decode(bytes, size)).toEqual(expected)
  })

  test('UTF-8 with a wrong byte stays UTF-8, so that only its row is rejected', async () => {
    const bytes = Buffer.concat([Buffer.from('é,ü\n'), Buffer.from([0xfc, 0x0a])])
    expect((await decode(bytes, bytes.length))[0]).toBe('UTF-8')
  })

  test('Japanese in Shift JIS is not read as Latin text', async () => {
    const bytes = Buffer.from([0x93, 0x8c, 0x8b, 0x9e, 0x2c, 0x91, 0xe5, 0x8d, 0xe3, 0x0a])
    expect((await decode(bytes, bytes.length))[0]).toBe('UTF-8')
  })
})

describe('UTF-16', () => {
  const littleEndian = Buffer.from('name,Straße\n', 'utf16le')
  const bigEndian = Buffer.from(littleEndian).swap16()
  test.each([
    ['UTF-16LE', Buffer.concat([Buffer.from([0xff, 0xfe]), littleEndian])],
    ['UTF-16BE', Buffer.concat([Buffer.from([0xfe, 0xff]), bigEndian])],
    ['UTF-16LE', littleEndian],
    ['UTF-16BE', bigEndian],
  ] as const)('%s is detected and read in chunks of any size', async (encoding, bytes) => {
    expect(detectUtf16(bytes)).toBe(encoding)
    const parts: Buffer[] = []
    for await (const part of toUtf8(chunksOf(bytes, 3), encoding)) parts.push(part)
    expect(Buffer.concat(parts).toString()).toBe('name,Straße\n')
  })

  test('half a character becomes an invalid byte, so that its row is rejected', async () => {
    const parts: Buffer[] = []
    for await (const part of toUtf8(chunksOf(Buffer.from('a\ud800b\0', 'utf16le').subarray(0, -1), 3), 'UTF-16LE'))
      parts.push(part)
    expect(Buffer.concat(parts)).toEqual(Buffer.from('a\xffb\xff', 'latin1'))
  })

  test('other bytes are not UTF-16', () => {
    expect([detectUtf16(windows1252), detectUtf16(Buffer.from('a')), detectUtf16(Buffer.alloc(0))]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })
})
