/** Code blocks of a guide, which tests run. */
import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'

/** A code block: its language, the words after it (the machine, and how to run it), and its text. */
export interface GuideBlock {
  readonly language: string
  readonly words: readonly string[]
  readonly text: string
}

/** Reads a file of the repository. */
export const readDocument = (path: string): string =>
  readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8')

/** Returns the code blocks of a document in their order. */
export const listBlocks = (document: string): GuideBlock[] =>
  [...document.matchAll(/^```(\S+)([^\n]*)\n(.*?)^```$/gms)].map(([, language, words, text]) => ({
    language: language!,
    words: words!.trim().split(' ').filter(Boolean),
    text: text!,
  }))

/**
 * Returns an output without what differs in each run: ids, times, digests, numbers, machines and widths of columns.
 */
export const normaliseOutput = (output: string): string =>
  output
    .replaceAll(/\b[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\b/g, 'ID')
    .replaceAll(/\b\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replaceAll(new RegExp(`\\b(${RegExp.escape(hostname())}|(node|worker)-[ab])\\b`, 'g'), 'MACHINE')
    .replaceAll(/\b[\da-f]{8}\b/g, 'DIGEST')
    .replaceAll(/\d+/g, '0')
    .replaceAll(/[ ─]+/g, ' ')
    .replaceAll(/ $/gm, '')

/**
 * Returns the pattern of an output that a guide shows, normalised: `…` on a line of its own matches any lines, and
 * another one for any text of its line.
 */
export const outputPattern = (shown: string): RegExp => {
  const lines = normaliseOutput(shown).trimEnd().split('\n')
  const patterns = lines.map(line =>
    line === '…' ? '(?:.*\n)*?' : `${line.split('…').map(RegExp.escape).join('.*')}\n`,
  )
  return new RegExp(`^${patterns.join('')}$`)
}
