import { spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Config } from '../config/load.ts'
import { type AdminFault, adminFault } from '../domain/admin-fault.ts'
import { formatCategoryAssignment } from '../domain/category-map.ts'
import type { JobStore, WaitingJob } from '../domain/job.ts'
import type { JobProcesses, JobWork, RequestedBuild, UploadedImport } from '../domain/job-process.ts'
import { systemClock } from '../kit/clock.ts'
import { threadEntry } from '../kit/thread-entry.ts'
import { openLayout } from '../store/folder/layout.ts'
import { keepUploads } from './kept-uploads.ts'
import { findLazyBlobs } from './lazy-blobs.ts'
import { shareUploads } from './shared-uploads.ts'

/** Maximum number of characters of a process's message that are recorded. */
const maxMessageChars = 500

/** Composes the processes of jobs: commands of the CLI with the configuration of this process. */
export function composeJobProcesses(config: Config, jobs: JobStore): JobProcesses {
  const uploadOf = (id: string) => join(jobs.folderOf(id), 'upload')
  const blobs = findLazyBlobs(config)
  const kept = blobs ? shareUploads(blobs, systemClock) : keepUploads(jobs.folderOf('kept'))
  return {
    receive: (id, input, maxBytes) => receive(uploadOf(id), jobs.folderOf(id), input, maxBytes),
    keep: id => kept.keep(id, uploadOf(id)),
    isKept: id => kept.isKept(id),
    reuse: (id, from) => kept.reuse(from, uploadOf(id)),
    discard: async id => {
      rmSync(jobs.folderOf(id), { recursive: true, force: true })
      await kept.remove(id)
    },
    start: (waiting, work) => {
      const { id } = waiting.job
      const rejects = resolve(openLayout(config.data).rejects, `${id}.rejects.ndjson`)
      startProcess(config, jobs, waiting, argumentsOf(work, { upload: uploadOf(id), rejects }))
    },
  }
}

async function receive(
  file: string,
  folder: string,
  input: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<number | AdminFault> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  let bytes = 0
  try {
    await using handle = await open(file, 'wx', 0o600)
    for await (const part of input) {
      bytes += part.length
      if (bytes > maxBytes) break
      await handle.writeFile(part)
    }
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
  if (bytes <= maxBytes) return bytes
  rmSync(folder, { recursive: true, force: true })
  return adminFault('upload_too_large', ['body'], { maxBytes })
}

/** Returns the arguments of the command that does the work. */
function argumentsOf(work: JobWork, files: { readonly upload: string; readonly rejects: string }): string[] {
  switch (work.kind) {
    case 'import':
      return ['import', files.upload, `--rejects=${files.rejects}`, ...importFlags(work.import)]
    case 'backup':
      return ['backup', work.folder]
    case 'verify':
      return ['verify']
    case 'feeds':
      return ['feeds', 'build', '--no-wait', ...buildFlags(work.build)]
    case 'scan':
      return ['reviews', 'scan']
    case 'moderation':
      return ['reviews', work.action, ...flag('scan', work.scan), ...flag('reason', work.reason)]
  }
}

const flag = (name: string, value: string | undefined): string[] => (value === undefined ? [] : [`--${name}=${value}`])
const switchOn = (name: string, isOn: boolean): string[] => (isOn ? [`--${name}`] : [])

const importFlags = ({
  kind,
  format,
  source,
  fields = [],
  categories = [],
  replace,
  force,
  dryRun,
}: UploadedImport): string[] => [
  ...flag('kind', kind && `${kind}s`),
  ...flag('format', format),
  ...flag('source', source),
  ...fields.flatMap(({ field, from }) => flag('map', `${field}=${from}`)),
  ...categories.flatMap(one => flag('category', formatCategoryAssignment(one))),
  ...switchOn('replace', replace),
  ...switchOn('force', force),
  ...switchOn('dry-run', dryRun),
]

const buildFlags = ({ kind, feeds = [], versions = [], force }: RequestedBuild): string[] => [
  ...(kind === undefined ? [] : [`--${kind}`]),
  ...feeds.flatMap(feed => flag('feed', feed)),
  ...versions.flatMap(version => flag('version', version)),
  ...switchOn('force', force),
]

function startProcess(config: Config, jobs: JobStore, waiting: WaitingJob, args: readonly string[]): void {
  const { id } = waiting.job
  const folder = jobs.folderOf(id)
  const [settings, output] = [join(folder, 'config.json'), join(folder, 'output.txt')]
  writeFileSync(settings, JSON.stringify(config), { mode: 0o600 })
  const outputFile = openSync(output, 'w', 0o600)
  const main = fileURLToPath(threadEntry('../cli/main', import.meta.url))
  const common = ['--data', config.data, '--config', settings, '--json']
  const child = spawn(process.execPath, [...process.execArgv, main, ...args, ...common], {
    env: { ...withoutSettings(process.env), PERIPLUS_JOB: id },
    stdio: ['ignore', 'ignore', outputFile],
  })
  closeSync(outputFile)
  child.unref()
  const ended = () => void waiting.abandon(startFailure(output)).catch(() => {})
  // A process that has started the job records its end, and reading the job notices if it did not.
  child.once('error', ended).once('exit', ended)
}

/** Returns the environment without settings: the file of settings has them all. */
export const withoutSettings = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('PERIPLUS_')))

/** Returns the reason why a process ended before it started the job: what it printed. */
function startFailure(output: string): AdminFault {
  try {
    const detail = readFileSync(output, 'utf8').trim().slice(0, maxMessageChars)
    if (detail !== '') return adminFault('job_failed', [], { detail })
  } catch {
    // The job has removed its files.
  }
  return adminFault('job_process_ended', [], {})
}
