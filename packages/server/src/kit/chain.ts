/** A value, or a promise of it where it has to be waited for. */
export type Eventual<T> = T | Promise<T>

/** Passes a value to the next step: at once if it is known, so that nothing is awaited that need not be. */
export const chain = <T, U>(value: Eventual<T>, next: (value: T) => Eventual<U>): Eventual<U> =>
  value instanceof Promise ? value.then(next) : next(value)
