import { basename } from 'node:path'
import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, adminFault, isAdminFault } from '../../domain/admin-fault.ts'
import { type CategoryMap, toCategoryMap } from '../../domain/category-map.ts'
import type { PossibleDuplicates } from '../../domain/duplicates.ts'
import type { ImportInput, ImportReport, InputDescription, Rejection } from '../../domain/import.ts'
import type { Importer, ImportMode, Imports, ImportWait, InputOptions } from '../../domain/importer.ts'
import type { RecordKind } from '../../domain/record-write.ts'
import { checkCategories } from './check-categories.ts'
import { checkFields } from './check-fields.ts'
import { checkSource } from './check-texts.ts'
import { startFault, stopFault, syncStopFault } from './import-faults.ts'
import type { ImportedInput, ImportOutcome, ImportRequest } from './import-request.ts'
import { sumReports } from './import-sums.ts'
import { ImportSurveyor } from './import-surveyor.ts'

/** Maximum number of rejections in the result of an input. */
const keptRejections = 5

/**
 * Imports locations or reviews. Running it again changes nothing. A killed or cancelled import leaves complete
 * batches, and running it again completes it.
 */
export async function runImport(
  imports: Imports,
  _actor: Actor,
  request: ImportRequest,
): Promise<ImportOutcome | AdminFault> {
  const fault = checkRequest(imports, request)
  if (fault) return fault
  const inputs: ImportInput[] = []
  for (const file of request.files) {
    const input = imports.openInput(file)
    if (isAdminFault(input)) return input
    inputs.push(input)
  }
  const categoryMap = readCategories(imports, request)
  if (isAdminFault(categoryMap)) return categoryMap
  const options = inputOptions(request, categoryMap)
  const replacedSource = request.replace ? request.source : undefined
  const importer = await startImport(imports, {
    dryRun: request.dryRun === true,
    replacedSource,
    wait: waitOf(request),
  })
  if (isAdminFault(importer)) return importer
  try {
    const surveyor = new ImportSurveyor()
    const imported = await importAll(importer, inputs, request, { options, surveyor })
    if (isAdminFault(imported)) return imported
    const { removals, failure } = await finishSync(importer, imported, request)
    const total = sumReports(
      imported.map(({ report }) => report),
      removals,
    )
    const possibleDuplicates = await updateIndex(importer, total, request)
    return {
      inputs: imported,
      total,
      dryRun: request.dryRun === true,
      replacedSource,
      removals,
      survey: surveyor.survey(),
      possibleDuplicates,
      failure: failure ?? (request.force ? undefined : nothingImported(imported)),
    }
  } finally {
    await importer.close()
  }
}

function checkRequest(imports: Imports, request: ImportRequest): AdminFault | undefined {
  const { files, replace, source, fields = [] } = request
  if (files.filter(file => file === '-').length > 1) return adminFault('stdin_repeated', ['files'], {})
  if (replace && source === undefined) return adminFault('source_required', ['source'], {})
  const invalid = source === undefined ? undefined : checkSource(source, 'source')
  if (invalid) return invalid
  return checkFields(imports, fields) ?? checkCategories(request.categories) ?? checkRejectsFile(imports, request)
}

function readCategories(
  imports: Imports,
  { categoryMapFile: file, categories = [] }: ImportRequest,
): CategoryMap | AdminFault {
  const map = file === undefined ? new Map() : imports.readCategoryMap(file)
  if (isAdminFault(map)) return map
  return new Map([...map, ...toCategoryMap(categories.map(({ word, category }) => [word, category]))])
}

function checkRejectsFile(imports: Imports, { files, rejectsFile: file }: ImportRequest): AdminFault | undefined {
  if (file === undefined) return undefined
  const problem = files.length > 1 ? 'shared' : imports.isFolder(file) ? 'folder' : undefined
  return problem && adminFault('rejects_file_invalid', ['rejects_file'], { file, problem })
}

const waitOf = ({ waitMs = 0, job, signal, onEvent }: ImportRequest): ImportWait => ({
  maxMs: waitMs,
  job,
  signal,
  onWait: holder => onEvent?.({ phase: 'queue', step: 'start', holder }),
})

async function startImport(imports: Imports, mode: ImportMode): Promise<Importer | AdminFault> {
  try {
    return await imports.start(mode)
  } catch (error) {
    const fault = startFault(error, mode)
    if (fault) return fault
    throw error
  }
}

/** Parts that all inputs share. */
interface InputParts {
  readonly options: InputOptions
  readonly surveyor: ImportSurveyor
}

/** Imports the inputs sequentially, up to the first that stops. */
async function importAll(
  importer: Importer,
  inputs: readonly ImportInput[],
  request: ImportRequest,
  parts: InputParts,
): Promise<ImportedInput[] | AdminFault> {
  const rejectsNames = rejectsNamesOf(request.files)
  const imported: ImportedInput[] = []
  for (const [i, input] of inputs.entries()) {
    const result = await importOne(importer, input, request, {
      file: request.files[i]!,
      rejectsName: rejectsNames[i]!,
      ...parts,
    })
    if (isAdminFault(result)) return result
    imported.push(result)
    if (result.report.stopped !== undefined) break
  }
  return imported
}

async function importOne(
  importer: Importer,
  input: ImportInput,
  request: ImportRequest,
  { file, rejectsName, surveyor, options }: InputParts & { readonly file: string; readonly rejectsName: string },
): Promise<ImportedInput | AdminFault> {
  const { onEvent } = request
  const rejects = importer.openRejects(request.rejectsFile, rejectsName)
  const firstRejections: (Rejection & { line: number })[] = []
  const samples: object[] = []
  let description: InputDescription | undefined
  let isSampled = false
  onEvent?.({ phase: 'input', step: 'start', name: input.name, totalBytes: input.totalBytes })
  let report: ImportReport | AdminFault
  let rejectsFile: string | undefined | AdminFault
  try {
    report = await importer.importInput(input, options, {
      described: found => {
        description = found
      },
      sample: record => samples.push(record),
      surveyed: place => surveyor.add(place),
      progress: ({ read }) => {
        if (!isSampled) onEvent?.({ phase: 'input', step: 'sampled', file, description, samples })
        isSampled = true
        onEvent?.({ phase: 'input', step: 'progress', bytes: input.readBytes(), rows: read })
      },
      rejected: (line, row, rejection) => {
        if (firstRejections.length < keptRejections) firstRejections.push({ line, ...rejection })
        // The text of an erased review is not stored again (R-47).
        rejects.write({ line, ...rejection, ...(rejection.reason !== 'erased' && { row }) })
      },
    })
  } finally {
    rejectsFile = await rejects.close()
    onEvent?.({ phase: 'input', step: 'end' })
  }
  if (isAdminFault(report)) return report
  if (!isSampled) onEvent?.({ phase: 'input', step: 'sampled', file, description, samples })
  if (isAdminFault(rejectsFile)) return rejectsFile
  if (rejectsFile !== undefined) await request.onRejects?.(rejectsFile)
  return { file, report, description, samples, rejectsFile, firstRejections }
}

const inputOptions = (request: ImportRequest, categoryMap: CategoryMap | undefined): InputOptions => ({
  categoryMap,
  kind: request.kind,
  format: request.format,
  delimiter: request.delimiter,
  fields: request.fields ?? [],
  source: request.source,
  defaultStatus: request.defaultStatus,
  force: request.force === true,
  signal: request.signal,
})

/** Ends a full sync. An input that was not read to its end does not show which records are missing. */
async function finishSync(
  importer: Importer,
  imported: readonly ImportedInput[],
  { replace, force, signal, onEvent }: ImportRequest,
): Promise<Pick<ImportOutcome, 'removals' | 'failure'>> {
  const stopped = imported.find(({ report }) => report.stopped !== undefined)?.report
  if (stopped) return { removals: [], failure: stopFault(stopped, replace === true) }
  if (!replace) return { removals: [], failure: undefined }
  const addedOf = (kind: RecordKind) =>
    imported.filter(one => one.description?.kind === kind).reduce((sum, { report }) => sum + report.added, 0)
  onEvent?.({ phase: 'removal', step: 'start' })
  const { removals, stopped: syncStop } = await importer.removeMissing({
    force: force === true,
    added: { location: addedOf('location'), review: addedOf('review') },
    progress: rows => onEvent?.({ phase: 'removal', step: 'progress', rows }),
    signal,
  })
  onEvent?.({ phase: 'removal', step: 'end' })
  return { removals, failure: syncStop && syncStopFault(syncStop) }
}

/**
 * Returns a fault if all rows of an input were rejected. Rows of erased reviews do not count, because rejecting them is
 * intended.
 */
function nothingImported(imported: readonly ImportedInput[]): AdminFault | undefined {
  const empty = imported.find(
    ({ report }) => report.read > 0 && report.rejected - (report.reasons.erased ?? 0) === report.read,
  )
  return empty && adminFault('nothing_imported', ['files'], { input: empty.file })
}

/** Updates the search index. After a cancelled import, the service or the next import does it. */
async function updateIndex(
  importer: Importer,
  total: ImportReport,
  request: ImportRequest,
): Promise<readonly PossibleDuplicates[]> {
  if (request.updateIndex === false || request.signal?.aborted) return []
  const duplicates = await importer.updateIndex(total.added + total.changed + total.removed, (rows, totalRows) =>
    request.onEvent?.({ phase: 'index', step: 'progress', rows, totalRows }),
  )
  request.onEvent?.({ phase: 'index', step: 'end' })
  return duplicates
}

/** Returns a unique name for the rejected rows of each file. */
function rejectsNamesOf(files: readonly string[]): string[] {
  const bases = files.map(file => (file === '-' ? 'stdin' : basename(file)))
  return bases.map((base, i) => {
    const before = bases.slice(0, i).filter(one => one === base).length
    return `${base}${before === 0 ? '' : `.${before + 1}`}.rejects.ndjson`
  })
}
