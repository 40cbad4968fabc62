import { globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { bundleSources } from './packages/server/test/setup/bundle.ts'
import { machineFactor } from './packages/server/test/setup/machine.ts'
import { shareEngines } from './packages/server/test/setup/share-engines.ts'
import { findTemporaryFolder } from './packages/server/test/setup/temporary-folder.ts'

const temporary = process.env.TMPDIR ?? findTemporaryFolder() ?? tmpdir()
const folder = mkdtempSync(join(temporary, 'periplus-run-'))
// Processes of the tests inherit these. Compiled modules are kept between runs.
process.env.TEST_COMPILE_CACHE ??= join(temporary, 'periplus-test-compile-cache')
// They run the sources if this is empty: TEST_BUNDLE= npx vitest run FILE
process.env.TEST_BUNDLE ??= await bundleSources(temporary)
process.env.TMPDIR = folder
shareEngines(folder)
// Killed processes leave folders behind.
process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))

/** Time limits detect hangs only; a busy machine gets proportionally more time. */
const limitMs = Math.round(120_000 * machineFactor())

const unitTests = 'packages/*/src/**/*.test.ts'
const allTests = [unitTests, 'packages/*/test/**/*.test.ts']
/** Tests that kill processes or take seconds. */
const slow = /usage\/(journal|fold|recover|disk-full)|formats\/csv|kit\/thread|contract\/requests/
const inTest = (name: string) => `packages/server/test/${name}.test.ts`
/** Tests for the inner loop (`npm run test:quick`): they start few processes and leave nothing behind in their own. */
const quick = globSync(
  [unitTests, ...['scenarios/*', 'golden/*', 'contract/*', 'search/search', 'config', 'imports'].map(inTest)],
  { cwd: import.meta.dirname },
).filter(file => !slow.test(file))

/** The tests that take longest, the longest first. */
const longest = [
  ...['browser/pages', 'browser/journey', 'browser/islands', 'kill-serve', 'search/index-life', 'restart'],
  ...['cluster/upgrade', 'search/hand-checked', 'packed', 'feeds/kill', 'store/gate', 'http/unread', 'serving-threads'],
].map(inTest)

/** Starts the longest tests first, so that no worker runs one of them when the others have ended. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId, project }: TestSpecification) => {
      const place = longest.findIndex(file => moduleId.endsWith(file))
      // Projects run sequentially.
      return project.name === 'quick' ? -1 : place < 0 ? longest.length : place
    }
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b))
  }
}

export default defineConfig({
  test: {
    pool: 'forks',
    execArgv: [
      // Each journal of a test takes 8 MB outside of the heap, which made V8 collect a small heap almost every time.
      '--initial-old-space-size=512',
      ...['--import', new URL('./packages/server/test/setup/preload.js', import.meta.url).href],
    ],
    // Much of the time is spent waiting for processes and sockets.
    maxWorkers: 4,
    // One process runs many files: loading the modules again for each would take a tenth of the time.
    isolate: false,
    // Node loads TypeScript itself, and caches compiled modules between runs (setup/preload.js).
    experimental: { viteModuleRunner: false, nodeLoader: false },
    sequence: { sequencer: LongestFirst },
    testTimeout: limitMs,
    hookTimeout: limitMs,
    provide: { limitMs },
    expect: { poll: { timeout: limitMs / 2, interval: 20 } },
    projects: [
      { extends: true, test: { name: 'quick', include: quick } },
      { extends: true, test: { name: 'whole', include: allTests, exclude: quick } },
    ],
  },
})
