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

const loaded = new Map<string, AssetFiles>()

/** Returns the files of this release, read at the first call, with the operator's colour of links and buttons. */
export function loadAssets(accent = ''): AssetFiles {
  const files = loaded.get(accent) ?? new AssetFiles(accent)
  loaded.set(accent, files)
  return files
}

/**
 * Reads the stylesheets and images in `assets/` and the scripts in `islands/`, as they are named in pages, without
 * hash.
 */
export class AssetFiles {
  readonly #byName = new Map<string, Asset>()
  readonly #byPlainName = new Map<string, Asset>()

  constructor(accent: string) {
    for (const file of readdirSync(assetFolder)) if (types[extname(file)]) this.#add(file, readFile(assetFolder, file))
    for (const name of Object.keys(libraryFiles)) this.#add(name, readLibraryFile(name))
    const styles = styleParts.map(name => readFile(assetFolder, `styles/${name}.css`).toString()).join('')
    this.#add(
      'periplus.css',
      Buffer.from(
        (styles + (accent === '' ? '' : accentStyle(accent))).replaceAll(
          /url\("([^"]+)"\)/g,
          (_, name) => `url("${this.nameOf(name)}")`,
        ),
      ),
    )
    const scripts = listScripts()
    for (const name of scripts.keys()) this.#addScript(name, scripts)
  }

  /** Returns the file with a name that contains its hash; also with its plain name, for well-known files. */
  find(name: string): Asset | undefined {
    return this.#byName.get(name) ?? this.#byPlainName.get(name)
  }

  /** Returns the name with hash of a file. Throws if there is no such file. */
  nameOf(plainName: string): string {
    const asset = this.#byPlainName.get(plainName)
    if (!asset) throw new Error(`There is no asset named ${plainName}.`)
    return asset.name
  }

  #add(plainName: string, content: Buffer): Asset {
    const extension = extname(plainName)
    const digest = createHash('sha256').update(content).digest('hex').slice(0, 12)
    const name = `${plainName.slice(0, -extension.length)}.${digest}${extension}`
    const asset = { name, type: types[extension]!, content }
    this.#byName.set(name, asset)
    this.#byPlainName.set(plainName, asset)
    return asset
  }

  /** Adds a script after the scripts that it imports, whose names it must know. */
  #addScript(name: string, scripts: ReadonlyMap<string, string>): Asset {
    const known = this.#byPlainName.get(name)
    if (known) return known
    const source = scripts.get(name)
    if (source === undefined) throw new Error(`There is no script named ${name}.`)
    const content = source.replaceAll(
      /(\bfrom\s*|\bimport\s*\(?\s*)'([^']+)'/g,
      (_, keyword: string, specifier: string) =>
        `${keyword}'./${this.#addScript(toScriptName(specifier), scripts).name}'`,
    )
    return this.#add(name, Buffer.from(content))
  }
}

/** Returns the name of an imported script: `./search.ts` is search.js, `leaflet` is leaflet.js. */
const toScriptName = (specifier: string): string => `${specifier.replace(/^\.\//, '').replace(/\.[tj]s$/, '')}.js`

/** Returns the text of each script by its name. In the repository they are TypeScript, in the package JavaScript. */
function listScripts(): Map<string, string> {
  const scripts = new Map<string, string>()
  if (!existsSync(islandFolder)) return scripts
  for (const file of readdirSync(islandFolder)) {
    const text = () => readFile(islandFolder, file).toString()
    if (file.endsWith('.d.ts') || file.includes('.test.')) continue
    if (file.endsWith('.ts')) scripts.set(toScriptName(file), stripTypes(text()))
    else if (file.endsWith('.js')) scripts.set(file, text())
  }
  return scripts
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
