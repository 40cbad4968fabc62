/**
 * The `count` least of the numbers 0 up to `size`, in order, without sorting the rest (a bounded heap). `before` is a
 * strict total order of the things that the numbers stand for.
 */
export function least(size: number, count: number, before: (a: number, b: number) => boolean): number[] {
  const order = (a: number, b: number) => (before(a, b) ? -1 : 1)
  if (count <= 0) return []
  if (count > size / 8)
    return Array.from({ length: size }, (_, i) => i)
      .sort(order)
      .slice(0, count)
  // The root is the last of those kept.
  const heap: number[] = []
  for (let item = 0; item < size; item++) {
    if (heap.length < count) {
      heap.push(item)
      rise(heap, before)
    } else if (before(item, heap[0]!)) {
      heap[0] = item
      sink(heap, before)
    }
  }
  return heap.sort(order)
}

function rise(heap: number[], before: (a: number, b: number) => boolean): void {
  for (let i = heap.length - 1; i > 0; ) {
    const parent = (i - 1) >> 1
    if (!before(heap[parent]!, heap[i]!)) return
    ;[heap[parent], heap[i]] = [heap[i]!, heap[parent]!]
    i = parent
  }
}

function sink(heap: number[], before: (a: number, b: number) => boolean): void {
  for (let i = 0; ; ) {
    let child = 2 * i + 1
    if (child >= heap.length) return
    if (child + 1 < heap.length && before(heap[child]!, heap[child + 1]!)) child++
    if (!before(heap[i]!, heap[child]!)) return
    ;[heap[i], heap[child]] = [heap[child]!, heap[i]!]
    i = child
  }
}
