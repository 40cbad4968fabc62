import { createHash } from 'node:crypto'
import { globSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type Plugin, type RolldownOutput, rolldown } from 'rolldown'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const sources = join(root, 'packages/server/src')
/** Files that a process or a thread starts with. */
const entries = ['cli/main.ts', 'threads/*.ts', 'search/keep/worker.ts']

/** Other sources than those of this checkout: a plugin changes them. */
interface Variant {
  readonly name: string
  readonly plugin: Plugin
  /** The files that the plugin depends on. */
  readonly files: readonly string[]
}

/**
 * Writes the sources and their libraries to a folder as fewer modules, and returns the folder. Processes and threads
 * of the tests run these modules (preload.js), because loading 400 files takes most of the time of a short process.
 * The folder is kept between runs, and written again after a change of the sources. Modules keep the URLs of their
 * sources, which they find threads and assets with.
 */
export async function bundleSources(temporary: string, variant?: Variant): Promise<string> {
  const name = `periplus-test-bundle-${hash(root).slice(0, 16)}`
  const folder = join(temporary, variant ? `${name}-${variant.name}` : name)
  const state = join(folder, 'sources')
  const current = hash(describeSources(variant?.files))
  mkdirSync(folder, { recursive: true })
  if (readIfExists(state) === current) return folder
  const { output } = await bundle(variant ? [sourceUrls, variant.plugin] : [sourceUrls])
  // Entries are last, because they import the others.
  for (const file of output.toSorted((a, b) => Number(isEntry(a)) - Number(isEntry(b))))
    replace(join(folder, file.fileName), file.type === 'chunk' ? file.code : file.source)
  removeOld(folder, new Set(output.map(file => join(folder, file.fileName))))
  replace(state, current)
  return folder
}

async function bundle(plugins: readonly Plugin[]): Promise<RolldownOutput> {
  const files = globSync(entries, { cwd: sources }).filter(file => !file.endsWith('.test.ts'))
  const build = await rolldown({
    input: Object.fromEntries(files.map(file => [file.replace(/\.ts$/, ''), join(sources, file)])),
    platform: 'node',
    // Modules run as they are written, in the same order.
    treeshake: false,
    // Its native module is found from its own folder.
    external: ['better-sqlite3'],
    plugins: [...plugins],
    logLevel: 'warn',
  })
  try {
    return await build.generate({
      format: 'esm',
      entryFileNames: '[name].js',
      chunkFileNames: 'shared/[name].js',
      keepNames: true,
    })
  } finally {
    await build.close()
  }
}

/** Replaces `import.meta.url` by the URL of the source. */
const sourceUrls: Plugin = {
  name: 'source-urls',
  transform: {
    filter: { code: 'import.meta.url' },
    handler: (code, id) => code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href)),
  },
}

/** Returns a text that differs after a change of a source, a library or this file. */
const describeSources = (more: readonly string[] = []): string =>
  [
    ...more,
    ...globSync('**/*.ts', { cwd: sources }).map(file => join(sources, file)),
    join(root, 'package-lock.json'),
    fileURLToPath(import.meta.url),
  ]
    .map(file => {
      const { mtimeMs, size } = statSync(file)
      return `${file} ${mtimeMs} ${size}`
    })
    .join('\n')

const isEntry = (file: RolldownOutput['output'][number]) => file.type === 'chunk' && file.isEntry

const hash = (text: string) => createHash('sha256').update(text).digest('hex')

function readIfExists(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

/** Replaces a file at once: a process of another run may load it. */
function replace(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true })
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, content)
  renameSync(draft, path)
}

/** Removes the files of earlier bundles. */
function removeOld(folder: string, files: ReadonlySet<string>): void {
  for (const name of globSync('**/*.js', { cwd: folder }))
    if (!files.has(join(folder, name))) rmSync(join(folder, name))
}
