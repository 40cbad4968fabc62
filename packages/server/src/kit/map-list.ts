/**
 * Returns the results of a function for the items of a list. V8 gives the result of `map` elements of another kind once
 * it has optimised the caller, and optimises each reader of the list again. Use this on paths that must warm up soon.
 */
export function mapList<T, R>(list: readonly T[], of: (item: T, index: number) => R): R[] {
  const found: R[] = []
  for (let i = 0; i < list.length; i++) found.push(of(list[i]!, i))
  return found
}
