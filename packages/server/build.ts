/** Builds the published package: compiles the sources to dist/ and copies the files that ship with it. */
import { execFileSync } from 'node:child_process'
import { cpSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { libraryFile } from './src/kit/bundled.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

for (const output of ['dist', 'demo', 'contract', 'docs', 'reference'])
  rmSync(here(output), { recursive: true, force: true })
for (const project of ['tsconfig.build.json', 'src/web/islands/tsconfig.build.json'])
  execFileSync('tsc', ['-p', here(project)], { stdio: 'inherit' })
cpSync(here('../../contract'), here('contract'), { recursive: true })
for (const guide of ['partner.md', 'feeds.md']) cpSync(here(`../../docs/guides/${guide}`), here(`docs/guides/${guide}`))
for (const file of ['swagger-ui.css', 'swagger-ui-bundle.js', 'swagger-ui-standalone-preset.js'])
  cpSync(libraryFile('@fastify/swagger-ui', `static/${file}`, 'reference'), here(`reference/${file}`))
cpSync(here('../../demo'), here('demo'), {
  recursive: true,
  filter: path => !path.endsWith('.ts') && !path.endsWith('/sample'),
})
for (const file of ['LICENSE', 'README.md', 'CHANGELOG.md']) cpSync(here(`../../${file}`), here(file))
