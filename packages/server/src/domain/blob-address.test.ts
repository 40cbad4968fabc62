import { describe, expect, test } from 'vitest'
import { describeBlobAddress, parseBlobAddress } from './blob-address.ts'

const s3 = { kind: 's3', bucket: 'periplus', prefix: '', endpoint: undefined, region: undefined }

describe('addresses of blobs', () => {
  test.each([
    ['/srv/blobs', { kind: 'folder', path: '/srv/blobs' }],
    ['blobs', { kind: 'folder', path: 'blobs' }],
    ['./s3:blobs', { kind: 'folder', path: './s3:blobs' }],
    ['C:\\blobs', { kind: 'folder', path: 'C:\\blobs' }],
    ['s3://periplus', s3],
    ['s3://periplus/', s3],
    ['s3://periplus/eu/1/', { ...s3, prefix: 'eu/1/' }],
    ['s3://periplus/eu?endpoint=https://s3.internal', { ...s3, prefix: 'eu/', endpoint: 'https://s3.internal' }],
    ['s3://periplus?region=eu-west-1', { ...s3, region: 'eu-west-1' }],
  ])('%s is read', (text, address) => expect(parseBlobAddress(text)).toEqual(address))

  test.each([
    ['', 'path of a folder'],
    ['a\0b', 'path of a folder'],
    ['https://s3.internal/bucket', 'look like s3://'],
    ['s3:/periplus', 'look like s3://'],
    ['s3:periplus', 'look like s3://'],
    ['gs://periplus', 'look like s3://'],
    ['s3://', 'look like s3://|name a bucket'],
    ['s3:///prefix', 'look like s3://|name a bucket'],
    ['s3://B/prefix', 'name a bucket'],
    ['s3://user:secret@periplus/eu', 'credentials come from the environment'],
    ['s3://periplus/../eu?x=1', 'question mark'],
    ['s3://periplus/.hidden', 'The prefix'],
    ['s3://periplus/a//b', 'The prefix'],
    ['s3://periplus/eu?secret=hidden', 'question mark'],
    ['s3://periplus/eu?region=a&region=b', 'question mark'],
    ['s3://periplus/eu#part', 'question mark'],
    ['s3://periplus?region=EU%20west', 'The region'],
    ['s3://periplus?endpoint=s3.internal', 'The endpoint'],
    ['s3://periplus?endpoint=https://user:secret@s3.internal', 'The endpoint'],
    ['s3://periplus?endpoint=https://s3.internal/path', 'The endpoint'],
  ])('%j is refused', (text, sentence) => {
    expect(parseBlobAddress(text)).toMatch(new RegExp(sentence))
    expect(parseBlobAddress(text)).not.toMatch(/user:|=hidden|:secret/)
  })

  test('the name in messages has neither endpoint nor region', () => {
    const address = parseBlobAddress('s3://periplus/eu?endpoint=http://127.0.0.1:9000&region=eu-west-1')
    expect(typeof address === 'string' ? address : describeBlobAddress(address)).toBe('s3://periplus/eu/')
  })
})
