import { type AdminFault, adminFault, isAdminFault } from '../../../domain/admin-fault.ts'
import { parseCategoryAssignment } from '../../../domain/category-map.ts'
import { importFormats } from '../../../domain/import.ts'
import type { UploadedImport } from '../../../domain/job-process.ts'
import { startImport } from '../../../usecases/admin/start-import.ts'
import { html } from '../../../web/html.ts'
import { type Field, form } from '../../../web/parts/form.ts'
import { formatBytes } from '../../../web/parts/number.ts'
import { sameElsewhere } from '../../../web/parts/same.ts'
import { linkTo } from '../../../web/site.ts'
import type { ManagementContext } from '../../context.ts'
import { refuseForm, refuseUnknownChoices } from '../../pages/form-faults.ts'
import { readForm } from '../../pages/form-values.ts'
import type { FormValues, PageAnswer, PageRequest } from '../../pages/page-route.ts'
import type { PageView } from '../../pages/page-view.ts'
import { importsPath } from './import-list.ts'

/** Shows the form for an upload; its fields can be filled by the URL, as for an import that is run again. */
export const importFormPage = async (context: ManagementContext, request: PageRequest): Promise<PageView> =>
  formView(context, request, fieldsOf(context, request.query))

/** Receives a file and starts its import. The file must be the last part, because its import depends on the fields. */
export async function importUploadPage(context: ManagementContext, request: PageRequest): Promise<PageAnswer> {
  const { work } = context
  const values: Record<string, string> = {}
  for await (const part of request.upload()) {
    if ('text' in part) {
      values[part.name] = part.text
      continue
    }
    const sent = readForm(values)
    const unknown = refuseUnknownChoices(fieldsOf(context, {}), sent)
    if (unknown) return formView(context, request, unknown.fields, unknown)
    const problem = part.fileName === '' ? adminFault('text_empty', ['file'], {}) : checkFields(sent)
    const started =
      problem ??
      (await startImport(work, request.actor, {
        import: { ...optionsOf(sent), fileName: baseName(part.fileName) },
        input: part.file,
        maxBytes: work.maxUploadBytes,
        keepsInput: true,
      }))
    if (!isAdminFault(started))
      return { redirect: `${importsPath}/${started.id}`, message: 'The file was uploaded and its import has started.' }
    return refusedView(context, request, sent, started)
  }
  return refusedView(context, request, readForm(values), adminFault('text_empty', ['file'], {}))
}

/** Returns a fault if a field is missing or cannot be read; a form without its mode never changes data. */
function checkFields(sent: FormValues): AdminFault | undefined {
  if (!['check', 'import'].includes(sent.text('mode'))) return adminFault('text_empty', ['mode'], {})
  const wrong = linesOf(sent, 'map').find(line => !/^[^=]+=.+$/.test(line))
  return wrong === undefined ? undefined : adminFault('field_unknown', ['map'], { field: wrong, known: ['name=title'] })
}

const linesOf = (sent: FormValues, name: 'map' | 'category_map'): readonly string[] =>
  sent
    .text(name)
    .split('\n')
    .map(line => line.trim())
    .filter(Boolean)

function optionsOf(sent: FormValues): UploadedImport {
  const kinds = { locations: 'location', reviews: 'review' } as const
  const kind = sent.text('kind')
  const fields = linesOf(sent, 'map').map(line => {
    const split = line.indexOf('=')
    return { field: line.slice(0, split).trim(), from: line.slice(split + 1).trim() }
  })
  const categories = linesOf(sent, 'category_map').map(
    line => parseCategoryAssignment(line) ?? { word: '', category: line },
  )
  return {
    kind: kind === 'locations' || kind === 'reviews' ? kinds[kind] : undefined,
    format: importFormats.find(name => name === sent.text('format')),
    source: sent.text('source') || undefined,
    ...(fields.length > 0 && { fields }),
    ...(categories.length > 0 && { categories }),
    replace: sent.text('replace') === 'yes',
    force: sent.text('force') === 'yes',
    dryRun: sent.text('mode') !== 'import',
  }
}

const maxNameLength = 200

/** Returns the name of a file without folders, which some browsers send. */
const baseName = (path: string): string => path.split(/[\\/]/).at(-1)!.slice(0, maxNameLength) || 'upload'

const formatLabels = {
  ndjson: 'NDJSON',
  csv: 'CSV',
  geojson: 'GeoJSON',
  parquet: 'Parquet',
  overpass: 'Overpass JSON',
  'osm-pbf': 'OpenStreetMap PBF',
} as const
const detected = { value: '', label: 'Detected' }

function fieldsOf({ work }: ManagementContext, values: PageRequest['query']): readonly Field[] {
  const optional = { required: false } as const
  return [
    {
      name: 'source',
      label: 'Source',
      value: values.source,
      ...optional,
      hint: 'Name of the supplier, for records that do not name one. Ids are unique within a source.',
    },
    {
      name: 'kind',
      label: 'The file contains',
      type: 'select',
      value: values.kind ?? '',
      ...optional,
      choices: [detected, { value: 'locations', label: 'Places' }, { value: 'reviews', label: 'Reviews' }],
    },
    {
      name: 'format',
      label: 'Format',
      type: 'select',
      value: values.format ?? '',
      ...optional,
      choices: [detected, ...importFormats.map(value => ({ value, label: formatLabels[value] }))],
    },
    ...assignmentFields(values),
    {
      name: 'replace',
      type: 'checkbox',
      value: values.replace,
      ...optional,
      label: 'The file contains all records of the source: remove the others',
    },
    {
      name: 'force',
      type: 'checkbox',
      value: values.force,
      ...optional,
      label: 'Continue even if more than 10 % of the rows are rejected, or 5 % of the source would be removed',
    },
    {
      name: 'mode',
      label: 'What to do',
      type: 'radio',
      value: values.mode ?? 'check',
      choices: [
        { value: 'check', label: 'Dry run', hint: 'Reports what would change, and which rows would be rejected.' },
        { value: 'import', label: 'Import', hint: 'Stores the records. Partners see them within seconds.' },
      ],
    },
    {
      name: 'file',
      label: 'File',
      type: 'file',
      hint: `At most ${formatBytes(work.maxUploadBytes)}, gzipped or not. Larger files are imported from a terminal.`,
    },
  ]
}

/** Returns the fields with an assignment in each line. */
const assignmentFields = (values: PageRequest['query']): readonly Field[] => [
  {
    name: 'map',
    label: 'Columns',
    type: 'textarea',
    value: values.map,
    required: false,
    hint: html`For columns that are not recognised, one per line as field=column: <code>name=title</code>`,
  },
  {
    name: 'category_map',
    label: 'Categories',
    type: 'textarea',
    value: values.category_map,
    required: false,
    hint: html`For categories that are not known, one per line as word=category: <code>izakaya=restaurant</code>`,
  },
]

function formView(
  _context: ManagementContext,
  { site }: PageRequest,
  fields: readonly Field[],
  { status = 200, error }: { readonly status?: number; readonly error?: string | undefined } = {},
): PageView {
  return {
    title: 'Import a file',
    status,
    trail: [{ path: importsPath, label: 'Imports' }],
    lead: 'Start with a dry run: it reads the whole file and changes nothing.',
    content: [
      form({
        action: linkTo(site, `${importsPath}/new`),
        button: 'Upload',
        enctype: 'multipart/form-data',
        error,
        fields,
      }),
      sameElsewhere({
        cli: 'periplus import FILE --source NAME --map name=title --dry-run',
        api: 'POST /admin/v1/imports?source=NAME&map=name=title&dry_run=true',
      }),
    ],
  }
}

function refusedView(context: ManagementContext, request: PageRequest, sent: FormValues, fault: AdminFault): PageView {
  const isMappingFault = fault.fault === 'field_unknown' || fault.fault === 'field_repeated'
  const { status, fields, error } = refuseForm(
    fieldsOf(context, {}),
    sent,
    isMappingFault ? { ...fault, fields: ['map'] } : fault,
  )
  return formView(context, request, fields, { status, error })
}
