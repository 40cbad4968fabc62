import type { StoredAuditLine } from '../../../domain/audit-log.ts'
import type { LocationEntry } from '../../../domain/location.ts'
import { type Override, type OverrideField, overrideFields, overrideMembers } from '../../../domain/override.ts'
import { toSnakeCaseJson } from '../../../kit/to-json.ts'
import { apiOverrideResource } from '../../../resources/place.ts'
import type { AdminPlace } from '../../../usecases/admin/get-place.ts'
import { type HtmlValue, html } from '../../../web/html.ts'
import { link } from '../../../web/parts/link.ts'
import { table } from '../../../web/parts/table.ts'
import { time } from '../../../web/parts/time.ts'
import type { PageRequest } from '../../pages/page-route.ts'
import { describeValue, fieldLabels } from '../../shared/places/place-words.ts'
import type { ActorNames } from '../actor-names.ts'
import { originOf } from './place-origin.ts'
import { placePath } from './place-path.ts'

/** A row of the table of fields. */
export interface FieldRow {
  readonly field: OverrideField
  readonly value: Override['value'] | undefined
  readonly override: Override | undefined
}

/** Returns the fields that can be overridden, with their values. */
export function fieldRows({ entry, overrides }: AdminPlace): readonly FieldRow[] {
  const location = entry.location()
  return overrideFields.map(field => ({
    field,
    value: location[overrideMembers[field]] as Override['value'] | undefined,
    override: overrides.find(one => one.field === field),
  }))
}

/** Returns a field as the export has it. */
export const toFieldExport = ({ field, value, override }: FieldRow): object => ({
  field,
  overridden: override !== undefined,
  value: value === undefined ? undefined : toSnakeCaseJson({ value }).value,
  ...(override && { override: apiOverrideResource(override) }),
})

/** Returns the table of the fields of a place. */
export function fieldTable(
  rows: readonly FieldRow[],
  entry: LocationEntry,
  request: PageRequest,
  nameOf: ActorNames,
): HtmlValue {
  const canChange = request.may('places:write')
  return table<FieldRow>({
    caption: 'Fields that can be overridden',
    columns: [
      { label: 'Field', kind: 'name', cell: ({ field }) => fieldLabels[field] },
      {
        label: 'Value',
        cell: ({ field, value }) =>
          value === undefined ? html`<span class="quiet">no value</span>` : describeValue(field, value),
      },
      { label: 'Origin', cell: ({ override }) => originOf(override, entry, request.zone, nameOf) },
      ...(canChange
        ? [
            {
              label: 'Change',
              kind: 'actions' as const,
              cell: ({ field, override }: FieldRow) =>
                link(
                  placePath(request, entry.id, `/fields/${field}`),
                  override ? 'Change or lift' : 'Override',
                  fieldLabels[field],
                ),
            },
          ]
        : []),
    ],
    rows,
  })
}

/** Returns the table of the decisions about a place. */
export const historyTable = (lines: readonly StoredAuditLine[], zone: string, nameOf: ActorNames): HtmlValue =>
  table<StoredAuditLine>({
    caption: 'Decisions about this place, newest first',
    columns: [
      { label: 'When', cell: ({ atMs }) => time(atMs, zone) },
      { label: 'What', kind: 'name', cell: describeDecision },
      { label: 'By', cell: ({ actor }) => nameOf(actor) },
    ],
    rows: lines,
    empty: html`<p class="quiet">No operator has changed this place: it is as its source delivers it.</p>`,
  })

function describeDecision({ action, after }: StoredAuditLine): string {
  const { field, into } = (after ?? {}) as { readonly field?: keyof typeof fieldLabels; readonly into?: string }
  const name = field === undefined ? '' : fieldLabels[field]
  if (action === 'location.merge') return `Merged into ${into}`
  if (action === 'location.remove') return 'Removed'
  return action === 'location.lift' ? `Lifted: ${name}` : `Overridden: ${name}`
}
