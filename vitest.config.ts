import { defineConfig } from 'vitest/config'
import { machineFactor } from './packages/server/test/setup/machine.ts'

/** Time limits detect hangs only; a busy machine gets proportionally more time. */
const limitMs = Math.round(120_000 * machineFactor())

export default defineConfig({
  test: {
    include: ['packages/*/src/**/*.test.ts', 'packages/*/test/**/*.test.ts'],
    pool: 'forks',
    execArgv: ['--import', new URL('./packages/server/test/setup/keep-priority.ts', import.meta.url).href],
    // Much of the time is spent waiting for processes and sockets.
    maxWorkers: 2,
    testTimeout: limitMs,
    hookTimeout: limitMs,
    provide: { limitMs },
    expect: { poll: { timeout: limitMs / 2, interval: 20 } },
  },
})
