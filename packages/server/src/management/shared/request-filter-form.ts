import { faults } from '../../domain/fault.ts'
import type { Key } from '../../domain/key.ts'
import { operationNames } from '../../domain/operation.ts'
import type { Html } from '../../web/html.ts'
import { type Field, filterForm, queryForm } from '../../web/parts/form.ts'
import { faultName } from './causes.ts'
import type { ReadRequestFilter } from './request-filter.ts'
import { subjectFields } from './subject-fields.ts'

/** Returns the form that finds a request by its id; `unknownId` was not found. */
export const requestIdForm = (action: string, unknownId: string | undefined, keepDays: unknown): Html =>
  queryForm(action, 'Find', [
    {
      name: 'id',
      label: 'Find by request id',
      type: 'search',
      value: unknownId,
      placeholder: 'X-Request-Id',
      error:
        unknownId === undefined
          ? undefined
          : `No request has this id. Requests are kept for ${String(keepDays)} days, and appear within a second.`,
    },
  ])

const statusChoices = [
  { value: '', label: 'Any status' },
  { value: '2xx', label: '2xx served' },
  { value: '4xx', label: '4xx refused' },
  { value: '429', label: '429 limits' },
  { value: '5xx', label: '5xx failed' },
]

/** Returns the form that filters requests. `keys` are those of the partner; undefined for all partners. */
export function requestFilterForm(
  action: string,
  { filter, errors, keys }: ReadRequestFilter & { readonly keys: readonly Key[] | undefined },
): Html {
  const optional = { required: false } as const
  const isListed = statusChoices.some(({ value }) => value === (filter.status ?? ''))
  const statuses = isListed ? statusChoices : [...statusChoices, { value: filter.status!, label: filter.status! }]
  const operations = operationNames.map(value => ({ value, label: value }))
  const fields: readonly Field[] = [
    ...subjectFields(keys, filter),
    {
      ...optional,
      name: 'operation',
      label: 'Operation',
      type: 'select',
      value: filter.operation ?? '',
      choices: [{ value: '', label: 'Any operation' }, ...operations],
      error: errors.operation,
    },
    {
      ...optional,
      name: 'status',
      label: 'Status',
      type: 'select',
      value: filter.status ?? '',
      choices: statuses,
      error: errors.status,
    },
    {
      ...optional,
      name: 'fault',
      label: 'Cause',
      type: 'select',
      value: filter.fault ?? '',
      choices: [
        { value: '', label: 'Any cause' },
        ...Object.keys(faults).map(value => ({ value, label: faultName(value) })),
      ],
      error: errors.fault,
    },
    { ...optional, name: 'from', label: 'From', type: 'date', value: filter.from, error: errors.from },
    { ...optional, name: 'to', label: 'To', type: 'date', value: filter.to, error: errors.to },
  ]
  return filterForm(action, 'Filter', fields, Object.keys({ ...filter, ...errors }).length > 0)
}
