/** Builds the published package: compiles the sources to dist/ and copies the files that ship with it. */
import { execFileSync } from 'node:child_process'
import { cpSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

for (const output of ['dist', 'demo', 'contract', 'docs']) rmSync(here(output), { recursive: true, force: true })
for (const project of ['tsconfig.build.json', 'src/web/islands/tsconfig.build.json'])
  execFileSync('tsc', ['-p', here(project)], { stdio: 'inherit' })
cpSync(here('../../contract'), here('contract'), { recursive: true })
for (const guide of ['partner.md', 'feeds.md', 'webhooks.md'])
  cpSync(here(`../../docs/guides/${guide}`), here(`docs/guides/${guide}`))
cpSync(here('../../demo'), here('demo'), {
  recursive: true,
  filter: path => !path.endsWith('.ts') && !path.endsWith('/sample'),
})
for (const file of ['LICENSE', 'README.md', 'CHANGELOG.md']) cpSync(here(`../../${file}`), here(file))
