/** Makes what gets published: the sources compiled to dist/, and the files that come with them. */
import { execFileSync } from 'node:child_process'
import { cpSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

for (const made of ['dist', 'demo', 'contract']) rmSync(here(made), { recursive: true, force: true })
execFileSync('tsc', ['-p', here('tsconfig.build.json')], { stdio: 'inherit' })
cpSync(here('../../contract'), here('contract'), { recursive: true })
cpSync(here('../../demo'), here('demo'), {
  recursive: true,
  filter: path => !path.endsWith('.ts') && !path.endsWith('/sample'),
})
for (const file of ['LICENSE', 'README.md', 'CHANGELOG.md']) cpSync(here(`../../${file}`), here(file))
