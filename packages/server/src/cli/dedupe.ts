import { writeFileSync } from 'node:fs'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { type Duplicates, withDuplicates } from '../compose/duplicates.ts'
import type { DuplicatesFound, MergedDuplicates } from '../domain/duplicates.ts'
import { type PlaceClass, placeClasses } from '../domain/place-class.ts'
import { stringifyLongJson } from '../kit/long-json.ts'
import { dedupeResource, pairResource } from '../resources/dedupe.ts'
import { mergeDuplicates, runId, undoDuplicates } from '../usecases/admin/merge-duplicates.ts'
import { type ActorFlag, cliActor, withActorFlag } from './actor.ts'
import { CommandError, UsageError } from './errors.ts'
import { type CommonFlags, loadCommandConfig, withCommonFlags } from './options.ts'
import { print, textTable } from './print.ts'

interface DedupeFlags extends CommonFlags, ActorFlag {
  readonly sources?: readonly string[]
  readonly classes?: readonly PlaceClass[]
  readonly min: number
  readonly prefer?: readonly string[]
  readonly report?: string
  readonly write?: boolean
  readonly undo?: string
}

/** Number of pairs that the text of a run shows. */
const shownPairs = 10

/** `periplus dedupe` */
export function addDedupeCommand(program: Command): void {
  withActorFlag(withCommonFlags(program.command('dedupe')))
    .description(
      'Finds places that several records describe, and merges them with --write. Without it nothing changes.',
    )
    .option('--sources <list>', 'compare only places of these sources, separated by commas', toList)
    .option('--classes <list>', `compare only these classes: ${placeClasses.join(', ')}`, toClasses)
    .option('--min <score>', 'minimum score of a merge, from 0.6 to 1', toScore, 0.92)
    .option('--prefer <list>', 'sources whose records survive, the most preferred first', toList)
    .option('--report <file>', 'write every pair to this file, as NDJSON')
    .option('--write', 'merge the duplicates; --undo with the id of the run takes it back')
    .addOption(new Option('--undo <run>', 'undo the merges of a run').conflicts(['write', 'report']))
    .action((flags: DedupeFlags) =>
      withDuplicates(loadCommandConfig(flags).config, duplicates =>
        flags.undo === undefined ? dedupe(duplicates, flags) : undo(duplicates, flags, flags.undo),
      ),
    )
}

async function dedupe(duplicates: Duplicates, flags: DedupeFlags): Promise<void> {
  const { sources, classes, min, prefer = [] } = flags
  const find = () => duplicates.find({ sources, classes, minScore: min, prefer })
  if (!flags.write) {
    const found = await find()
    writePairs(flags, found)
    report(flags, found)
    return
  }
  // Held from the comparison to the last merge, so that no import changes what was compared.
  await duplicates.whileLocked(async () => {
    const found = await find()
    // Before the merges: a file that cannot be written must not hide the id of the run.
    writePairs(flags, found)
    const run = runId(duplicates.clock.nowMs())
    report(flags, found, await mergeDuplicates(duplicates, cliActor(flags.actor), { run, merges: found.merges }))
  })
}

async function undo(duplicates: Duplicates, flags: DedupeFlags, run: string): Promise<void> {
  const undone = await duplicates.whileLocked(() => undoDuplicates(duplicates, cliActor(flags.actor), run))
  if (undone.changed + undone.skipped === 0)
    throw new CommandError(
      `No merge of the run '${run}' is in force. 'periplus audit' lists merges with the ids of their runs.`,
    )
  print(
    flags.json,
    { run, restored: undone.changed, skipped: undone.skipped },
    () =>
      `${undone.changed} merged places exist again. The next import of their reviews brings those back.${skippedText(undone)}`,
  )
}

/** Writes every pair to the file of `--report`. */
function writePairs({ report: path }: DedupeFlags, { pairs }: DuplicatesFound): void {
  if (path !== undefined) writeFileSync(path, pairs.map(pair => `${stringifyLongJson(pairResource(pair))}\n`).join(''))
}

function report(flags: DedupeFlags, found: DuplicatesFound, merged?: MergedDuplicates): void {
  const resource = dedupeResource(found, merged, shownPairs)
  print(flags.json, resource, () =>
    [
      textTable(
        ['class', 'same', 'possible', 'merges'],
        resource.classes.map(row => [row.class, row.same, row.possible, row.merges]),
      ),
      ...resource.samples.map(
        ({ a, b, decision, score }) =>
          `${decision} ${score}: ${a.name} (${a.source}, ${a.id}) and ${b.name} (${b.source}, ${b.id})`,
      ),
      ...(found.oversized > 0 ? [`${found.oversized} groups have more than 8 records and are reported only.`] : []),
      resultText(found, merged),
    ].join('\n'),
  )
}

const resultText = ({ places, merges }: DuplicatesFound, merged: MergedDuplicates | undefined): string =>
  merged === undefined
    ? `${places} places were compared; ${merges.length} could be merged. Nothing was changed: add --write to merge them.`
    : `${merged.changed} places were merged. 'periplus dedupe --undo ${merged.run}' takes this back.${skippedText(merged)}`

const skippedText = ({ skipped }: MergedDuplicates): string =>
  skipped === 0 ? '' : ` ${skipped} had changed meanwhile and were skipped.`

const toList = (text: string): readonly string[] =>
  text
    .split(',')
    .map(one => one.trim())
    .filter(one => one !== '')

function toClasses(text: string): readonly PlaceClass[] {
  return toList(text).map(name => {
    const found = placeClasses.find(one => one === name)
    if (found === undefined) throw new UsageError(`The class ${name} does not exist. Use ${placeClasses.join(', ')}.`)
    return found
  })
}

function toScore(text: string): number {
  const score = Number(text)
  if (!(score >= 0.6 && score <= 1)) throw new InvalidArgumentError('The score must be a number from 0.6 to 1.')
  return score
}
