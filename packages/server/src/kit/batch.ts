/**
 * Groups the items of an async stream into arrays of `size`. The first array has `first` items; the last may be
 * shorter.
 */
export async function* toBatches<T>(items: AsyncIterable<T>, size: number, first = size): AsyncGenerator<T[]> {
  let batch: T[] = []
  let length = first
  for await (const item of items) {
    batch.push(item)
    if (batch.length < length) continue
    length = size
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
