import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { InvalidConfig } from '../config/load.ts'
import type { TextVectors } from '../domain/text-vectors.ts'

const maxDimensions = 4096
const probes = ['A quiet room.', 'Ein ruhiges Zimmer.']

/** Maximum times of a module, in milliseconds. */
export interface VectorTimes {
  /** For loading it, and for its first vectors. */
  readonly startWithinMs: number
  readonly answerWithinMs: number
}

const defaultTimes: VectorTimes = { startWithinMs: 120_000, answerWithinMs: 120_000 }

/**
 * Loads the module of the setting `recommendations.vectors`, and checks what it returns for two texts. Throws
 * InvalidConfig with a sentence, also if the module never answers.
 */
export async function loadTextVectors(module: string, times: Partial<VectorTimes> = {}): Promise<TextVectors> {
  const { startWithinMs, answerWithinMs } = { ...defaultTimes, ...times }
  const path = resolve(module)
  const refuse = (text: string) => new InvalidConfig([`recommendations.vectors: ${text}`])
  if (!existsSync(path)) throw refuse(`The module ${path} does not exist.`)
  const loaded: Partial<TextVectors> = await within(startWithinMs, import(pathToFileURL(path).href)).catch(error => {
    throw refuse(`The module ${path} cannot be loaded: ${sentenceOf(error)}`)
  })
  const { dimensions, embed } = loaded
  if (!Number.isInteger(dimensions) || dimensions! < 1 || dimensions! > maxDimensions)
    throw refuse(`The module ${path} must export dimensions, a number from 1 to ${maxDimensions}.`)
  if (typeof embed !== 'function') throw refuse(`The module ${path} must export the function embed(texts).`)
  const vectors = { dimensions: dimensions!, embed: (texts: readonly string[]) => embedChecked(texts, answerWithinMs) }
  const embedChecked = async (texts: readonly string[], withinMs: number): Promise<readonly Int8Array[]> => {
    const found: unknown = await within(withinMs, embed(texts))
    const isWhole = Array.isArray(found) && found.length === texts.length
    if (!isWhole) throw new Error('embed(texts) must return an array with a vector for each text.')
    if (!found.every(one => one instanceof Int8Array && one.length === dimensions))
      throw new Error(`embed(texts) must return Int8Array of ${dimensions} elements, as its dimensions say.`)
    return found as Int8Array[]
  }
  await embedChecked(probes, startWithinMs).catch(error => {
    throw refuse(`The module ${path} cannot be used: ${sentenceOf(error)}`)
  })
  return vectors
}

/** Returns the value of a promise. Throws if the promise takes longer than `ms` milliseconds. */
async function within<T>(ms: number, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`It has not answered within ${ms / 1000} s.`)), ms)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Returns the message of an error that a module has thrown, as a sentence. */
function sentenceOf(error: unknown): string {
  const [line] = (error instanceof Error ? error.message || error.name : String(error)).split('\n')
  return /[.!?]$/.test(line!) ? line! : `${line}.`
}
