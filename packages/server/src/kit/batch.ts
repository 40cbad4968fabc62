/** Groups an async stream into arrays of at most `size` (`first` for the first), in order; the last may be shorter. */
export async function* batches<T>(items: AsyncIterable<T>, size: number, first = size): AsyncGenerator<T[]> {
  let batch: T[] = []
  let wanted = first
  for await (const item of items) {
    batch.push(item)
    if (batch.length < wanted) continue
    wanted = size
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
