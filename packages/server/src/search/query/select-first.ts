/**
 * Returns the first `count` of the numbers from 0 up to `size` (exclusive), in order, with a bounded binary heap
 * instead of a full sort. `before` is a strict total order.
 */
export function selectFirst(size: number, count: number, before: (a: number, b: number) => boolean): number[] {
  const order = (a: number, b: number) => (before(a, b) ? -1 : 1)
  if (count <= 0) return []
  if (count > size / 8)
    return Array.from({ length: size }, (_, i) => i)
      .sort(order)
      .slice(0, count)
  // The root is the last of the numbers kept so far.
  const heap: number[] = []
  for (let item = 0; item < size; item++) {
    if (heap.length < count) {
      heap.push(item)
      siftUp(heap, before)
    } else if (before(item, heap[0]!)) {
      heap[0] = item
      siftDown(heap, before)
    }
  }
  return heap.sort(order)
}

function siftUp(heap: number[], before: (a: number, b: number) => boolean): void {
  for (let i = heap.length - 1; i > 0; ) {
    const parent = (i - 1) >> 1
    if (!before(heap[parent]!, heap[i]!)) return
    ;[heap[parent], heap[i]] = [heap[i]!, heap[parent]!]
    i = parent
  }
}

function siftDown(heap: number[], before: (a: number, b: number) => boolean): void {
  for (let i = 0; ; ) {
    let child = 2 * i + 1
    if (child >= heap.length) return
    if (child + 1 < heap.length && before(heap[child]!, heap[child + 1]!)) child++
    if (!before(heap[i]!, heap[child]!)) return
    ;[heap[i], heap[child]] = [heap[child]!, heap[i]!]
    i = child
  }
}
