import { BroadcastChannel } from 'node:worker_threads'
import type { BlobStore } from '../domain/blob-store.ts'
import type { Metrics } from '../kit/metrics.ts'

/** The uses of blobs whose errors are counted separately. */
const blobOperations = ['open', 'put', 'get', 'head', 'list', 'delete'] as const
type BlobOperation = (typeof blobOperations)[number]

/** The channel on which all threads of the process report errors of blobs to the one that counts them. */
const channelName = 'periplus blob errors'

function reportError(operation: BlobOperation): void {
  const channel = new BroadcastChannel(channelName)
  channel.postMessage(operation)
  channel.close()
}

/** Returns the result of an operation, and reports its error. */
export async function reportErrors<T>(operation: BlobOperation, running: Promise<T>): Promise<T> {
  try {
    return await running
  } catch (error) {
    reportError(operation)
    throw error
  }
}

/** Returns blobs that report the errors of their operations. */
export const withReportedErrors = (blobs: BlobStore): BlobStore => ({
  name: blobs.name,
  put: (...args) => reportErrors('put', blobs.put(...args)),
  get: (...args) => reportErrors('get', blobs.get(...args)),
  head: key => reportErrors('head', blobs.head(key)),
  list: async function* list(prefix) {
    try {
      yield* blobs.list(prefix)
    } catch (error) {
      reportError('list')
      throw error
    }
  },
  delete: key => reportErrors('delete', blobs.delete(key)),
  close: () => blobs.close(),
})

/** The errors of the process; undefined until a metric counts them. */
let counted: Map<BlobOperation, number> | undefined

/** Starts to count the errors of all threads. */
function startCounting(): Map<BlobOperation, number> {
  const counts = new Map<BlobOperation, number>(blobOperations.map(name => [name, 0]))
  const channel = new BroadcastChannel(channelName)
  channel.onmessage = ({ data }: { readonly data: BlobOperation }) => void counts.set(data, counts.get(data)! + 1)
  channel.unref()
  return counts
}

/** Adds the metric of the errors of blobs in all threads of the process. */
export function addBlobMetrics(metrics: Metrics): void {
  counted ??= startCounting()
  const counts = counted
  metrics.addCounters('periplus_blob_errors_total', 'Number of failed uses of the blobs.', ['operation'], () =>
    [...counts].map(([operation, count]) => [{ operation }, count] as const),
  )
}
