/** Returns the first index of an ascending list whose value is not below `value`; its length if all are. */
export function firstNotBelow<T extends number | bigint>(list: ArrayLike<T>, value: T): number {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (list[middle]! < value) low = middle + 1
    else high = middle
  }
  return low
}
