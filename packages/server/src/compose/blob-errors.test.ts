import { expect, test } from 'vitest'
import type { BlobStore } from '../domain/blob-store.ts'
import { Metrics } from '../kit/metrics.ts'
import { addBlobMetrics, withReportedErrors } from './blob-errors.ts'

test('the errors of blobs are counted by operation', async () => {
  const metrics = new Metrics()
  addBlobMetrics(metrics)
  const fail = async () => {
    throw new Error('unreachable')
  }
  const list = async function* () {
    yield await fail()
  }
  const blobs = withReportedErrors({ head: fail, list, delete: async () => {} } as unknown as BlobStore)
  await blobs.delete('a')
  await expect(blobs.head('a')).rejects.toThrow('unreachable')
  await expect(Array.fromAsync(blobs.list('a'))).rejects.toThrow('unreachable')
  await expect.poll(() => metrics.render()).toContain('periplus_blob_errors_total{operation="list"} 1')
  const text = await metrics.render()
  expect(text).toContain('periplus_blob_errors_total{operation="head"} 1')
  expect(text).toContain('periplus_blob_errors_total{operation="delete"} 0')
})
