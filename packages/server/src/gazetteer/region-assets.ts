import { readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'

/** Returns the contents of a compressed file in assets/regions/, which build.ts there makes. */
export const readRegionAsset = (name: 'borders.bin' | 'names.json' | 'english.json'): Buffer =>
  brotliDecompressSync(readFileSync(new URL(`../../assets/regions/${name}.br`, import.meta.url)))
