/** Strict total order. */
type Order = (a: number, b: number) => boolean

/** A page is selected by a heap if it ends before this share of the numbers; otherwise by partitioning. */
const maxShareOfHeap = 1 / 8

/** Number of numbers up to which all of them are sorted. */
const maxSorted = 32

/** Returns the numbers from 0 up to `size` (exclusive). */
function firstNumbers(size: number): number[] {
  const numbers: number[] = []
  for (let i = 0; i < size; i++) numbers.push(i)
  return numbers
}

/**
 * Returns the numbers from 0 up to `size` (exclusive) that are on a page when all are in order, without ordering those
 * that are not on it. `before` is a strict total order.
 */
export function selectPage(
  size: number,
  { offset, limit }: { readonly offset: number; readonly limit: number },
  before: Order,
): number[] {
  const end = Math.min(size, offset + limit)
  if (end <= offset) return []
  const order = (a: number, b: number) => (before(a, b) ? -1 : 1)
  if (size <= maxSorted) return firstNumbers(size).sort(order).slice(offset, end)
  if (end <= size * maxShareOfHeap) return firstOf(size, end, before).sort(order).slice(offset)
  const all = Uint32Array.from({ length: size }, (_, i) => i)
  if (offset > 0) partition(all, 0, size, offset, before)
  if (end < size) partition(all, offset, size, end, before)
  return Array.from(all.subarray(offset, end)).sort(order)
}

/** Reorders `items` between `from` and `to` (exclusive) so that those before position `at` come before all others. */
export function partition(items: Uint32Array, from: number, to: number, at: number, before: Order): void {
  let [low, high] = [from, to - 1]
  let state = 1
  // Quickselect (Hoare 1961) with pseudo-random pivots, so that no order of the items takes quadratic time.
  while (low < high) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    const pivot = items[low + (state % (high - low + 1))]!
    let [i, j] = [low, high]
    while (i <= j) {
      while (before(items[i]!, pivot)) i++
      while (before(pivot, items[j]!)) j--
      if (i > j) break
      const item = items[i]!
      items[i++] = items[j]!
      items[j--] = item
    }
    if (at - 1 <= j) high = j
    else if (at - 1 >= i) low = i
    else return
  }
}

/**
 * Returns the first `count` of the numbers from 0 up to `size` (exclusive) in any order, with a bounded binary heap.
 */
function firstOf(size: number, count: number, before: Order): number[] {
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
  return heap
}

function siftUp(heap: number[], before: Order): void {
  for (let i = heap.length - 1; i > 0; ) {
    const parent = (i - 1) >> 1
    if (!before(heap[parent]!, heap[i]!)) return
    ;[heap[parent], heap[i]] = [heap[i]!, heap[parent]!]
    i = parent
  }
}

function siftDown(heap: number[], before: Order): void {
  for (let i = 0; ; ) {
    let child = 2 * i + 1
    if (child >= heap.length) return
    if (child + 1 < heap.length && before(heap[child]!, heap[child + 1]!)) child++
    if (!before(heap[i]!, heap[child]!)) return
    ;[heap[i], heap[child]] = [heap[child]!, heap[i]!]
    i = child
  }
}
