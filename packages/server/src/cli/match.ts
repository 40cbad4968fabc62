import { writeFileSync } from 'node:fs'
import { type Command, InvalidArgumentError } from 'commander'
import { matchFile, type RowResult } from '../compose/match-file.ts'
import { stringifyLongJson, toLongJson } from '../kit/long-json.ts'
import { type CommonFlags, loadCommandConfig, withCommonFlags } from './options.ts'
import { print, textPairs } from './print.ts'

interface MatchFlags extends CommonFlags {
  readonly out?: string
  readonly size: number
}

/** `periplus match` */
export function addMatchCommand(program: Command): void {
  withCommonFlags(program.command('match'))
    .description('Finds the places that the records of a file describe. Nothing is changed.')
    .argument('<file>', 'NDJSON or CSV, gzipped or not; - for standard input')
    .option('--out <file>', 'write one line of JSON for each record to this file instead of standard output')
    .option('--size <n>', 'maximum number of candidates of a record, from 1 to 5', toSize, 1)
    .action(async (file: string, flags: MatchFlags) => {
      const lines: string[] = []
      const counts = { records: 0, same: 0, possible: 0, unmatched: 0, invalid: 0 }
      await matchFile(loadCommandConfig(flags).config, { file, limit: flags.size }, result => {
        count(counts, result)
        const line = stringifyLongJson(resultResource(result))
        if (flags.out !== undefined) lines.push(`${line}\n`)
        else if (!flags.json) process.stdout.write(`${line}\n`)
      })
      if (flags.out !== undefined) writeFileSync(flags.out, lines.join(''))
      if (flags.json) print(true, counts, () => '')
      else process.stderr.write(`${textPairs(Object.entries(counts))}\n`)
    })
}

function count(counts: Record<'records' | 'same' | 'possible' | 'unmatched' | 'invalid', number>, result: RowResult) {
  counts.records++
  counts['problem' in result ? 'invalid' : (result.matches[0]?.decision ?? 'unmatched')]++
}

/** Returns the line of a record: its candidates, or the reason why it could not be matched. */
const resultResource = (result: RowResult): object =>
  'problem' in result
    ? result
    : {
        line: result.line,
        name: result.name,
        matches: result.matches.map(({ entry, decision, score, reasons }) => ({
          id: toLongJson(entry.id),
          name: entry.location().names[0]?.value,
          source: entry.source,
          decision,
          score,
          reasons,
        })),
      }

function toSize(text: string): number {
  const size = Number(text)
  if (!(Number.isInteger(size) && size >= 1 && size <= 5))
    throw new InvalidArgumentError('The size must be an integer from 1 to 5.')
  return size
}
