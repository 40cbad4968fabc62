/**
 * Checks comments, strings, names and docs against the tables of STYLE.md.
 *
 *   node tools/check-language.ts [PATH…]     default: every tracked text file
 *
 * Prints `file:line: word` for each finding and exits with 1 when there is one.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

/** Texts that are quoted, generated from quoted texts, or data. */
const excluded = [
  /^(STYLE\.md|tools\/check-language\.ts)$/,
  /^contract\/SPEC\.md$/,
  /^LICENSE$/,
  /^package-lock\.json$/,
  /^demo\/.*\.(ndjson|gz)/,
  /^demo\/sample\/phrases\/[a-z]{2}\.ts$/,
  /\/fixtures\//,
  /\/golden\/.*\.json$/,
]
/** Names that are promised to callers or stored in data, whatever their words. */
const contractNames = /moved_aside|taxi_stand|wishes\.ndjson|(?:TABLE |')takings/g
const checked = /\.(ts|js|mjs|md|yaml|yml|css|html|json|sh)$|^\.ci\/run$/

const style = readFileSync(join(root, 'STYLE.md'), 'utf8')

/** The part of STYLE.md under a heading. */
function section(heading: string): string {
  const text = style.split(`## ${heading}\n`)[1]
  if (text === undefined) throw new Error(`STYLE.md has no section '${heading}'.`)
  return text.split('\n## ')[0]!
}

const openings = section('Opening words').split(':').slice(1).join(':').replaceAll('\n', ' ').trim().replace(/\.$/, '')
const opening = new RegExp(`^\\s*/\\*\\*\\s+(${openings.split(/,\s*/).join('|')})\\b`)
const openingOfBlock = new RegExp(`^\\s*\\*\\s+(${openings.split(/,\s*/).join('|')})\\b`)

const words = section('Banned words')
  .split('\n')
  .filter(line => line.startsWith('| '))
  .slice(1)
  .flatMap(line =>
    line
      .split('|')[1]!
      .split(',')
      .map(word => word.trim()),
  )
const banned = new RegExp(`\\b(${words.map(word => word.replaceAll(' ', '\\s+')).join('|')})\\b`, 'gi')

/** Splits camel case, so that a banned word is found within a name. */
const split = (line: string): string => line.replace(/([a-z\d])([A-Z])/g, '$1 $2').replace(/[_-]/g, ' ')

/** Findings of one file, as `line: word`. */
function findings(file: string): string[] {
  const lines = readFileSync(join(root, file), 'utf8').split('\n')
  return lines.flatMap((line, i) => {
    const first = opening.exec(line) ?? (lines[i - 1]?.trim() === '/**' ? openingOfBlock.exec(line) : null)
    const found = [
      ...(first ? [`docstring opens with '${first[1]}'`] : []),
      ...(split(line.replace(contractNames, '')).match(banned) ?? []),
    ]
    return found.map(word => `${i + 1}: ${word}`)
  })
}

const paths = process.argv.slice(2)
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', ...paths], {
  cwd: root,
  encoding: 'utf8',
})
  .trim()
  .split('\n')
  .filter(file => checked.test(file) && !excluded.some(pattern => pattern.test(file)))

const all = files.flatMap(file => findings(file).map(finding => `${file}:${finding}`))
for (const finding of all) console.log(finding)
console.log(`${files.length} files checked, ${all.length} findings.`)
if (all.length > 0) process.exitCode = 1
