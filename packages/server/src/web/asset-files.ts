import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire, stripTypeScriptTypes } from 'node:module'
import { extname } from 'node:path'
import { accentStyle } from './accent.ts'

/** A file that pages load. Its name contains a hash of its content, so that it can be cached for ever. */
export interface Asset {
  /** Name with the hash: `periplus.3f9ac1d27b04.css`. */
  readonly name: string
  readonly type: string
  readonly content: Buffer
}

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.ico': 'image/vnd.microsoft.icon',
  '.png': 'image/png',
  '.json': 'application/json',
  '.woff2': 'font/woff2',
}

/** Parts of the stylesheet periplus.css in `assets/styles/`, in their order. */
const styleParts = ['base', 'frame', 'form', 'parts', 'code', 'chart', 'map', 'docs', 'places', 'portal', 'console']

/** A file of a library that pages load. */
interface LibraryFile {
  /** Path as `import` finds it. */
  readonly path: string
  /** For a script that sets a global object: its name, and the members that pages import. */
  readonly global?: string
  readonly exports?: readonly string[]
}

const leafletExports = [
  'circleMarker',
  'divIcon',
  'geoJSON',
  'latLngBounds',
  'layerGroup',
  'map',
  'marker',
  'tileLayer',
]

/** Files of libraries that pages load, by the names that they have here. */
const libraryFiles: Readonly<Record<string, LibraryFile>> = {
  'leaflet.js': { path: 'leaflet/dist/leaflet.js', global: 'leaflet', exports: leafletExports },
  'leaflet.css': { path: 'leaflet/dist/leaflet.css' },
  'topojson-client.js': {
    path: 'topojson-client/dist/topojson-client.min.js',
    global: 'topojson',
    exports: ['feature', 'mesh'],
  },
  'countries-110m.json': { path: 'world-atlas/countries-110m.json' },
  'countries-50m.json': { path: 'world-atlas/countries-50m.json' },
  'inter.woff2': { path: '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2' },
  'inter-ext.woff2': { path: '@fontsource-variable/inter/files/inter-latin-ext-wght-normal.woff2' },
}

// The relative paths are the same for the sources and the compiled files.
const assetFolder = new URL('../../assets/', import.meta.url)
const islandFolder = new URL('./islands/', import.meta.url)

const created = new Map<string, AssetFiles>()

/**
 * Returns the files of this release with the operator's colour of links and buttons; always the same files for one
 * colour.
 */
export function loadAssets(accent = ''): AssetFiles {
  const files = created.get(accent) ?? new AssetFiles(accent)
  created.set(accent, files)
  return files
}

/**
 * The stylesheets and images in `assets/`, files of libraries, and the scripts in `islands/`. Each is read when it is
 * first needed.
 */
export class AssetFiles {
  readonly #readers: ReadonlyMap<string, () => Buffer>
  readonly #byPlainName = new Map<string, Asset>()

  constructor(accent: string) {
    this.#readers = new Map([
      ...readdirSync(assetFolder).map(name => [name, () => readFile(assetFolder, name)] as const),
      ...Object.keys(libraryFiles).map(name => [name, () => readLibraryFile(name)] as const),
      ...listScripts().map(([name, read]) => [name, () => this.#linkScript(read())] as const),
      ['periplus.css', () => this.#linkStyles(readStyles(accent))],
    ])
  }

  /** Returns the file with a name that contains its hash; also with its plain name, for well-known files. */
  find(name: string): Asset | undefined {
    const asset = this.#load(name.replace(/\.[0-9a-f]{12}(?=\.\w+$)/, ''))
    return asset?.name === name ? asset : this.#load(name)
  }

  /** Returns the name with hash of a file. Throws if there is no such file. */
  nameOf(plainName: string): string {
    const asset = this.#load(plainName)
    if (!asset) throw new Error(`There is no asset named ${plainName}.`)
    return asset.name
  }

  #load(plainName: string): Asset | undefined {
    const known = this.#byPlainName.get(plainName)
    const extension = extname(plainName)
    const type = types[extension]
    const read = this.#readers.get(plainName)
    if (known || !read || type === undefined) return known
    const content = read()
    const digest = createHash('sha256').update(content).digest('hex').slice(0, 12)
    const asset = { name: `${plainName.slice(0, -extension.length)}.${digest}${extension}`, type, content }
    this.#byPlainName.set(plainName, asset)
    return asset
  }

  /** Inserts the names with hash of the images that the stylesheet uses. */
  #linkStyles(text: string): Buffer {
    return Buffer.from(text.replaceAll(/url\("([^"]+)"\)/g, (_, name) => `url("${this.nameOf(name)}")`))
  }

  /** Inserts the names with hash of the scripts that a script imports. */
  #linkScript(text: string): Buffer {
    return Buffer.from(
      text.replaceAll(
        /(\bfrom\s*|\bimport\s*\(?\s*)'([^']+)'/g,
        (_, keyword: string, specifier: string) => `${keyword}'./${this.nameOf(toScriptName(specifier))}'`,
      ),
    )
  }
}

const readStyles = (accent: string): string =>
  styleParts.map(name => readFile(assetFolder, `styles/${name}.css`).toString()).join('') +
  (accent === '' ? '' : accentStyle(accent))

/** Returns the name of an imported script: `./search.ts` is search.js, `leaflet` is leaflet.js. */
const toScriptName = (specifier: string): string => `${specifier.replace(/^\.\//, '').replace(/\.[tj]s$/, '')}.js`

/** Returns name and reader of each script. In the repository they are TypeScript, in the package JavaScript. */
function listScripts(): (readonly [name: string, read: () => string])[] {
  if (!existsSync(islandFolder)) return []
  const read = (file: string) => readFile(islandFolder, file).toString()
  return readdirSync(islandFolder)
    .filter(file => /\.[tj]s$/.test(file) && !file.endsWith('.d.ts') && !file.includes('.test.'))
    .map(file => [toScriptName(file), () => (file.endsWith('.ts') ? stripTypes(read(file)) : read(file))] as const)
}

/** Removes the types of a script, without the warning that Node's function is experimental. */
function stripTypes(text: string): string {
  const { emitWarning } = process
  process.emitWarning = () => undefined
  try {
    return stripTypeScriptTypes(text)
  } finally {
    process.emitWarning = emitWarning
  }
}

const readFile = (folder: URL, name: string): Buffer => readFileSync(new URL(name, folder))

const { resolve } = createRequire(import.meta.url)

/** Reads a file of a library. A script that sets a global object becomes a module with the exports that pages need. */
function readLibraryFile(name: string): Buffer {
  const { path, global, exports } = libraryFiles[name]!
  const text = readFileSync(resolve(path))
  if (global === undefined || exports === undefined) return text
  const script = text.toString().replace(/^\/\/# sourceMappingURL=.*$/m, '')
  return Buffer.from(`${script}\nexport const { ${exports.join(', ')} } = globalThis.${global}\n`)
}
