/** Passes a value to the next step: at once if it is known, so that nothing is awaited that need not be. */
export const chain = <T, U>(value: T | Promise<T>, next: (value: T) => U | Promise<U>): U | Promise<U> =>
  value instanceof Promise ? value.then(next) : next(value)
