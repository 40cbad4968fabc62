/** Puts a file into blobs, for a test that kills this process: ADDRESS KEY FILE. */
import { parseBlobAddress } from '../../src/domain/blob-address.ts'
import { openBlobs } from '../../src/store/blobs/open.ts'

const [, , text = '', key = '', file = ''] = process.argv
const address = parseBlobAddress(text)
if (typeof address === 'string') throw new Error(address)
const blobs = await openBlobs(address)
process.stdout.write('opened\n')
await blobs.put(key, file, { onlyIfAbsent: true })
process.stdout.write('stored\n')
