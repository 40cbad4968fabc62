/**
 * Checks that no line of code is longer than 120 columns. The formatter breaks code, but not comments and templates.
 * Sentences and data in string literals do not count: they are one line however long they are.
 *
 *   node tools/check-lines.ts
 *
 * Prints `file:line: columns` for each finding and exits with 1 when there is one.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const maxColumns = 120
/** Lists of words and phrases, which are data. */
const excluded = /^demo\/sample\//

/** A string, a template that is not markup, or a regular expression on a line of its own. */
const literal = /'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|(?<!html)`(?:\\.|[^`\\])*(?:`|$)|^\s*\/[^/*].+\/\w*,?$/g
/** The content of a template, whose escaped backticks belong to a text in Markdown. */
const isMarkdown = (line: string): boolean => line.includes('\\`')

const files = execFileSync('git', ['ls-files', '*.ts'], { cwd: root, encoding: 'utf8' }).trim().split('\n')
const findings = files
  .filter(file => !excluded.test(file))
  .flatMap(file =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .flatMap((line, i) => {
        if (line.length <= maxColumns || isMarkdown(line)) return []
        return line.replaceAll(literal, '').length > maxColumns ? [`${file}:${i + 1}: ${line.length} columns`] : []
      }),
  )
for (const finding of findings) process.stdout.write(`${finding}\n`)
process.stdout.write(`${files.length} files checked, ${findings.length} lines too long.\n`)
process.exitCode = findings.length > 0 ? 1 : 0
