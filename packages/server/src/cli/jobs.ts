import { type Command, Option } from 'commander'
import { withEngine } from '../compose/engine.ts'
import { rejectsKey } from '../compose/shared-rejects.ts'
import type { Config } from '../config/load.ts'
import type { AdminFault } from '../domain/admin-fault.ts'
import { type Job, jobOrders } from '../domain/job.ts'
import { type JobKind, type JobState, jobKinds, jobStates } from '../domain/job-kind.ts'
import { parseOrder } from '../domain/list-order.ts'
import type { Engine } from '../domain/stores.ts'
import { systemClock } from '../kit/clock.ts'
import { importRunResource, type JobResource, jobResource } from '../resources/job.ts'
import { cancelJob } from '../usecases/admin/cancel-job.ts'
import { getImport } from '../usecases/admin/get-import.ts'
import { getJob } from '../usecases/admin/get-job.ts'
import { listJobPart } from '../usecases/admin/list-jobs.ts'
import { type ActorFlag, cliActor, withActorFlag } from './actor.ts'
import { faultError, unwrapOrThrow } from './fault-text.ts'
import { limitOption } from './limit-option.ts'
import { type CommonFlags, loadCommandConfig, withCommonFlags } from './options.ts'
import { print, textPairs, textTable } from './print.ts'
import { type SortFlag, sortOption } from './sort-option.ts'

const describeFault = (fault: AdminFault): string => faultError(fault).message
const present = (job: Job): JobResource => jobResource(job, describeFault)

/** Runs `work` with the stores of an existing data folder. */
function withStores(flags: CommonFlags, work: (engine: Engine, config: Config) => Promise<void>): Promise<void> {
  const { config } = loadCommandConfig(flags)
  return withEngine(config, { create: false }, engine => work(engine, config))
}

interface ListFlags extends CommonFlags, SortFlag {
  readonly kind?: JobKind
  readonly state?: JobState
  readonly limit: number
}

/** `periplus jobs list|show|cancel` */
export function addJobsCommand(program: Command): void {
  const jobs = program
    .command('jobs')
    .description('Lists, shows and cancels imports, backups, verifications and feed builds.')
  addList(jobs, 'Lists jobs, newest first by default.').addOption(
    new Option('--kind <kind>', 'only jobs of this kind').choices([...jobKinds]),
  )
  withCommonFlags(jobs.command('show'))
    .description('Shows a job with its progress and result.')
    .argument('<id>', 'job')
    .action((id: string, flags: CommonFlags) =>
      withStores(flags, async engine => {
        const job = present(unwrapOrThrow(await getJob(engine, cliActor(), { id })))
        print(flags.json, job, () => jobText(job))
      }),
    )
  withActorFlag(withCommonFlags(jobs.command('cancel')))
    .description('Cancels a job. An import ends after its current batch.')
    .argument('<id>', 'job')
    .action((id: string, flags: CommonFlags & ActorFlag) =>
      withStores(flags, async engine => {
        const stores = { jobs: engine.jobs, clock: systemClock }
        const job = present(unwrapOrThrow(await cancelJob(stores, cliActor(flags.actor), { id })))
        print(flags.json, job, () => `Job ${id} is being cancelled.`)
      }),
    )
}

/** `periplus imports list|show` */
export function addImportsCommand(program: Command): void {
  const imports = program.command('imports').description('Lists imports and shows their results.')
  addList(imports, 'Lists imports, newest first.', 'import')
  withCommonFlags(imports.command('show'))
    .description('Shows an import with its progress, counts and rejected rows.')
    .argument('<id>', 'import')
    .action((id: string, flags: CommonFlags) =>
      withStores(flags, async (engine, config) => {
        const run = unwrapOrThrow(await getImport(engine, cliActor(), { id }))
        const resource = importRunResource(run, describeFault)
        print(flags.json, resource, () =>
          [
            jobText(resource),
            ...run.rejects.map(one => `Rejected rows of ${one.input}: ${describeRejects(config, id, one.file)}`),
            ...(resource.drift ? [driftText('country', resource.drift.countries)] : []),
            ...(resource.drift ? [driftText('category', resource.drift.categories)] : []),
          ].join('\n'),
        )
      }),
    )
}

/** Names the place of rejected rows: the blobs of a cluster, or a file. */
const describeRejects = ({ blobs }: Config, id: string, file: string): string =>
  blobs === undefined ? file : `${rejectsKey(id, file)} in ${blobs}`

function addList(parent: Command, description: string, onlyKind?: JobKind): Command {
  return withCommonFlags(parent.command('list'))
    .description(description)
    .addOption(new Option('--state <state>', 'only jobs in this state').choices([...jobStates]))
    .addOption(limitOption())
    .addOption(sortOption(jobOrders))
    .action((flags: ListFlags) =>
      withStores(flags, async engine => {
        const { kind = onlyKind, state, limit } = flags
        const order = parseOrder(flags.sort, jobOrders)
        const jobs = (await listJobPart(engine, cliActor(), { kind, state, limit, order })).rows.map(present)
        print(flags.json, { [onlyKind === undefined ? 'jobs' : 'imports']: jobs }, () => listText(jobs))
      }),
    )
}

const listText = (jobs: readonly JobResource[]): string =>
  jobs.length === 0
    ? 'There are no jobs yet.'
    : textTable(
        ['job', 'kind', 'state', 'started by', 'created', 'ended'],
        jobs.map(job => [job.id, job.kind, job.state, job.actor.id, job.created_at, job.ended_at]),
      )

type Drift = NonNullable<ReturnType<typeof importRunResource>['drift']>

/** Countries or categories in the text of an import; `--json` has all. */
const shownValues = 20

const driftText = (name: string, counts: Drift['countries']): string =>
  `\n${textTable(
    [name, 'added', 'changed', 'unchanged'],
    counts.slice(0, shownValues).map(one => [one.value ?? 'unknown', one.added, one.changed, one.unchanged]),
  )}`

const jobText = (job: JobResource): string =>
  textPairs([
    ['job', job.id],
    ['kind', job.kind],
    ['state', job.cancelling ? `${job.state}, being cancelled` : job.state],
    ['started by', `${job.actor.id} (${job.actor.via})`],
    ['created', job.created_at],
    ['started', job.started_at],
    ['ended', job.ended_at],
    ['progress', job.ended_at === undefined ? progressText(job) : undefined],
    ['request', JSON.stringify(job.request)],
    ['result', job.result && JSON.stringify(job.result)],
    ['failure', job.failure?.message],
  ])

function progressText({ progress }: JobResource): string | undefined {
  if (!progress) return undefined
  const { phase, part, done, total, unit } = progress
  return `${[phase, part].filter(Boolean).join(' ')}: ${done}${total === undefined ? '' : ` of ${total}`} ${unit}`
}
