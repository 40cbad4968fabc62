import { type AdminFault, isAdminFault } from '../../domain/admin-fault.ts'
import { parseCategoryAssignment } from '../../domain/category-map.ts'
import { importFormats } from '../../domain/import.ts'
import { jobOrders } from '../../domain/job.ts'
import { textBounds } from '../../domain/text-bounds.ts'
import { Type } from '../../kit/json-schema.ts'
import {
  importRunResource,
  importRunSchema,
  jobSchema,
  rejectedRowResource,
  rejectedRowSchema,
} from '../../resources/job.ts'
import { closedObject } from '../../resources/schema.ts'
import { getImport } from '../../usecases/admin/get-import.ts'
import { listJobPart } from '../../usecases/admin/list-jobs.ts'
import { listRejects } from '../../usecases/admin/list-rejects.ts'
import { startImport } from '../../usecases/admin/start-import.ts'
import { describeJobFailure } from '../job-failures.ts'
import { fromCursor, invalidCursor, pageOf, pageQuery, sortQuery, toCursor } from '../page.ts'
import { apiRoute } from '../route.ts'
import { pageOfJobs, startedJob } from './job-answers.ts'

const flag = (description: string) => Type.Boolean({ default: false, description })

/** `/imports` of the admin API. */
export const importRoutes = [
  apiRoute({
    method: 'GET',
    path: '/imports',
    operation: 'listImports',
    summary: 'Lists imports, newest first by default; those from a terminal included.',
    permission: 'imports:write',
    query: closedObject({ ...pageQuery, ...sortQuery(jobOrders) }),
    response: pageOf(jobSchema),
    handler: ({ work }, { actor, query }) =>
      pageOfJobs(one => listJobPart(work, actor, { ...one, kind: 'import' }), query),
  }),
  apiRoute({
    method: 'POST',
    path: '/imports',
    operation: 'startImport',
    summary: 'Imports the body: NDJSON, CSV, GeoJSON, Parquet or OpenStreetMap (PBF, Overpass); text may be gzipped.',
    permission: 'imports:write',
    query: closedObject({
      kind: Type.Optional(Type.Enum(['locations', 'reviews'], { description: 'Default: detected.' })),
      format: Type.Optional(Type.Enum(importFormats, { description: 'Default: detected.' })),
      source: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: textBounds.source.max,
          description: 'Source of records without a source.',
        }),
      ),
      map: Type.Optional(
        Type.Array(Type.String({ pattern: '^[^=]+=.+$', examples: ['name=title'] }), {
          description: 'Columns to read fields from, as field=column.',
        }),
      ),
      category_map: Type.Optional(
        Type.Array(Type.String({ pattern: '^.+=[^=]+$', examples: ['izakaya=restaurant'] }), {
          description: 'Categories that unknown ones are assigned to, as word=category.',
        }),
      ),
      replace: flag('Removes the records of the source that the body does not have.'),
      force: flag('Continues if more than 10 % of the rows are rejected, and removes more than 5 % of a source.'),
      dry_run: flag('Reports what would change, without changing anything.'),
    }),
    body: 'raw',
    status: 202,
    response: jobSchema,
    handler: async ({ work }, { actor, query, raw }) => {
      const { kind, format, source, map, category_map, replace, force, dry_run } = query
      const fields = map?.map(text => ({
        field: text.slice(0, text.indexOf('=')),
        from: text.slice(text.indexOf('=') + 1),
      }))
      const options = {
        format,
        source,
        fields,
        categories: category_map?.map(text => parseCategoryAssignment(text) ?? { word: '', category: text }),
        replace: replace === true,
        force: force === true,
        dryRun: dry_run === true,
        kind: kind && ({ locations: 'location', reviews: 'review' } as const)[kind],
      }
      const { maxUploadBytes: maxBytes } = work
      return startedJob(await startImport(work, actor, { import: options, input: raw, maxBytes }))
    },
  }),
  apiRoute({
    method: 'GET',
    path: '/imports/:id',
    operation: 'getImport',
    summary: 'Returns an import with its progress, counts and numbers of rejected rows.',
    permission: 'imports:write',
    response: importRunSchema,
    handler: async ({ work }, { actor, params }) => {
      const run = await getImport(work, actor, { id: params.id! })
      return isAdminFault(run) ? run : { body: importRunResource(run, describeJobFailure) }
    },
  }),
  apiRoute({
    method: 'GET',
    path: '/imports/:id/rejects',
    operation: 'listRejects',
    summary: 'Lists the rows that an import rejected, in the order of its inputs.',
    permission: 'imports:write',
    query: closedObject({
      ...pageQuery,
      reason: Type.Optional(Type.String({ description: 'Only rows that were rejected for this reason.' })),
    }),
    response: pageOf(rejectedRowSchema),
    handler: async ({ work }, { actor, params, query: { limit = 50, after, reason } }) => {
      const skip = after === undefined ? 0 : Number(fromCursor(after))
      if (!Number.isSafeInteger(skip) || skip < 0) return invalidCursor()
      const found = await listRejects(work, actor, { id: params.id!, reason, skip, limit })
      if (isAdminFault(found)) return found satisfies AdminFault
      const data = found.rows.map(rejectedRowResource)
      return { body: { data, next: found.hasMore ? toCursor(String(skip + data.length)) : null } }
    },
  }),
]
