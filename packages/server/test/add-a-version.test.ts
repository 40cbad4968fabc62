import { execFile } from 'node:child_process'
import { cpSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { scratch } from './world.ts'

const packageFolder = fileURLToPath(new URL('..', import.meta.url))
const root = fileURLToPath(new URL('../../..', import.meta.url))
const folder = scratch()
const copy = join(folder.path, 'packages/server')
const versions = join(copy, 'src/versions')

// The tests follow the guides on a copy of the sources.
beforeAll(() => {
  cpSync(join(packageFolder, 'src'), join(copy, 'src'), { recursive: true })
  cpSync(join(packageFolder, 'package.json'), join(copy, 'package.json'))
  symlinkSync(join(root, 'node_modules'), join(folder.path, 'node_modules'))
})
afterAll(folder.remove)

const edit = (file: string, change: (text: string) => string) => {
  const before = readFileSync(join(versions, file), 'utf8')
  const after = change(before)
  expect(after, `${file} was changed`).not.toBe(before)
  writeFileSync(join(versions, file), after)
}

/** Runs a module inside the copied sources and returns the JSON that it prints. */
async function run(code: string): Promise<unknown> {
  const file = join(copy, 'src/try.ts')
  writeFileSync(file, code)
  const { stdout } = await promisify(execFile)(process.execPath, [file], { cwd: copy })
  rmSync(file)
  return JSON.parse(stdout)
}

const sourceFiles = () => readdirSync(join(copy, 'src'), { recursive: true, encoding: 'utf8' }).sort()

test('a v3 that renames one field needs one folder and one registry entry (guides/add-a-version.md)', async () => {
  const before = sourceFiles()
  cpSync(join(versions, 'v2'), join(versions, 'v3'), { recursive: true })
  edit('v3/index.ts', text => text.replace("name: '2'", "name: '3'").replace('const v2:', 'const v3:'))
  edit('v3/location.ts', text => text.replace('official_email:', 'email:'))
  edit('v3/schema-location.ts', text => text.replace('official_email:', 'email:'))
  edit('registry.ts', text =>
    text
      .replace("import { v2 } from './v2/index.ts'\n", "$&import { v3 } from './v3/index.ts'\n")
      .replace(
        "  { name: '2', status: 'preview', releasedMs: Date.UTC(2026, 10, 21), version: v2 },\n",
        "$&  { name: '3', status: 'preview', version: v3 },\n",
      ),
  )
  expect(sourceFiles().filter(file => !before.includes(file) && !file.startsWith('versions/v3'))).toEqual([])

  const result = await run(`
    import { exampleLocation } from './http/openapi/example-records.ts'
    import { exampleSettings } from './http/openapi/document.ts'
    import { findDocument } from './http/openapi/served-documents.ts'
    import { resolveLifecycle } from './versions/lifecycle.ts'
    import { selectVersion } from './versions/select.ts'
    const lifecycle = resolveLifecycle({ versions: {}, endpoints: {} })
    const now = Date.now()
    const { version } = selectVersion(lifecycle, { version: 'v3' }, now)
    const entry = { ...exampleLocation, location: () => ({ ...exampleLocation.location(), officialEmail: 'a@b.example' }) }
    const context = { publicUrl: 'https://places.example', locales: [] }
    const fields = name => {
      const { components } = findDocument(lifecycle, exampleSettings, name, now)
      return Object.keys(components.schemas.Location.properties)
    }
    const removed = fields('v2').filter(name => !fields('v3').includes(name))
    const added = fields('v3').filter(name => !fields('v2').includes(name))
    const { email, official_email } = version.present.location(entry, context)
    const byDefault = selectVersion(lifecycle, {}, now).version.name
    console.log(JSON.stringify({ removed, added, email, official_email, byDefault }))
  `)
  expect(result).toEqual({ removed: ['official_email'], added: ['email'], email: 'a@b.example', byDefault: '1' })
})

test('a version without its folder and import is reported as retired (guides/retire-a-version.md)', async () => {
  rmSync(join(versions, 'v0'), { recursive: true })
  edit('registry.ts', text =>
    text.replace("import { v0 } from './v0/index.ts'\n", '').replace('    version: v0,\n', ''),
  )
  const result = await run(`
    import { resolveLifecycle } from './versions/lifecycle.ts'
    import { selectVersion } from './versions/select.ts'
    const lifecycle = resolveLifecycle({ versions: {}, endpoints: {} })
    console.log(JSON.stringify(selectVersion(lifecycle, { version: '0' }, 0).fault.fault))
  `)
  expect(result).toBe('version_retired')
})
