import { inject, vi } from 'vitest'

/** Repeats a look until it throws no more, and returns its result. Works in hooks, too, where `expect.poll` does not. */
export const eventually = <T>(look: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(look, { timeout: inject('limitMs') / 2, interval: 20 })
