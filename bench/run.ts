/**
 * Runs a benchmark, bench/NAME.bench.ts; the head of each file describes its arguments.
 *   npm run bench -- NAME [arguments]
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('.', import.meta.url))
const [name = '', ...args] = process.argv.slice(2)
const file = `${folder}${name}.bench.ts`
if (!/^[a-z-]+$/.test(name) || !existsSync(file)) {
  const names = readdirSync(folder).flatMap(one =>
    one.endsWith('.bench.ts') ? [one.slice(0, -'.bench.ts'.length)] : [],
  )
  console.error(`Name a benchmark: npm run bench -- ${names.join(' | ')}`)
  process.exit(2)
}
process.exit(spawnSync(process.execPath, [file, ...args], { stdio: 'inherit' }).status ?? 1)
