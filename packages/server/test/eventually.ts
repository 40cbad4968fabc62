import { inject, vi } from 'vitest'

/** Retries a check until it no longer throws, and returns its result. Works in hooks, where `expect.poll` does not. */
export const eventually = <T>(check: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(check, { timeout: inject('limitMs') / 2, interval: 20 })
