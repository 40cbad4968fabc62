type Numbers = Uint8Array | Uint16Array | Int32Array | Uint32Array | Float32Array | Float64Array | BigUint64Array
interface SharedArrayConstructor<A extends Numbers> {
  readonly BYTES_PER_ELEMENT: number
  new (buffer: SharedArrayBuffer): A
}

/** Allocates a zeroed typed array in memory that worker threads can share. */
export function sharedArray<A extends Numbers>(make: SharedArrayConstructor<A>, length: number): A {
  return new make(new SharedArrayBuffer(length * make.BYTES_PER_ELEMENT))
}

/** Copies numbers into a shared typed array. */
export function sharedCopy<A extends Exclude<Numbers, BigUint64Array>>(
  from: ArrayLike<number>,
  make: SharedArrayConstructor<A>,
): A {
  const to = sharedArray(make, from.length)
  to.set(from)
  return to
}

/**
 * Returns the first index in `from` up to `to` (exclusive) of an ascending list whose value is not below `value`, or
 * `to`.
 */
export function lowerBound(list: Uint32Array, value: number, from = 0, to = list.length): number {
  let low = from
  let high = to
  while (low < high) {
    const middle = (low + high) >>> 1
    if (list[middle]! < value) low = middle + 1
    else high = middle
  }
  return low
}

/** Returns the same for a list of hashes of 32 bits, which are spread evenly: each is close to where it is expected. */
export function lowerBoundOfHash(hashes: Uint32Array, hash: number): number {
  const at = Math.floor((hash / 2 ** 32) * hashes.length)
  let [low, high] = [at, at]
  for (let step = 1; low > 0 && hashes[low - 1]! >= hash; step *= 2) low = Math.max(0, low - step)
  for (let step = 1; high < hashes.length && hashes[high]! < hash; step *= 2)
    high = Math.min(hashes.length, high + step)
  return lowerBound(hashes, hash, low, high)
}
