import { packageNames } from '../../domain/package.ts'
import { Type } from '../../kit/json-schema.ts'
import { settingsResource, settingsSchema } from '../../resources/config.ts'
import { packagesResource, packagesSchema } from '../../resources/package.ts'
import { closedObject } from '../../resources/schema.ts'
import { versionsResource, versionsSchema } from '../../resources/version.ts'
import { apiRoute } from '../route.ts'

const healthSchema = closedObject({
  status: Type.Enum(['ready', 'not ready']),
  reasons: Type.Array(Type.String(), { description: 'Reasons why the service is not ready.' }),
  notes: Type.Array(Type.String(), { description: 'Problems that do not prevent the service from answering.' }),
  release: Type.String(),
  node: Type.Optional(
    closedObject({
      id: Type.String({ description: 'The node that has answered, if nodes share limits: each reports about itself.' }),
      name: Type.String({ description: 'Name of its machine.' }),
    }),
  ),
})

/** `/packages`, `/versions`, `/config` and `/health` of the admin API. */
export const systemRoutes = [
  apiRoute({
    method: 'GET',
    path: '/packages',
    operation: 'listPackages',
    summary: 'Lists the packages of the configuration, with the limits of search that they share.',
    permission: 'keys:read',
    forPartners: true,
    response: packagesSchema,
    handler: async ({ admin }) => ({ body: packagesResource(admin.packageTable, packageNames) }),
  }),
  apiRoute({
    method: 'GET',
    path: '/versions',
    operation: 'listVersions',
    summary: 'Lists the versions of the partner API with their states and dates.',
    permission: 'system:read',
    forPartners: true,
    response: versionsSchema,
    handler: async ({ versions }) => ({ body: versionsResource(versions()) }),
  }),
  apiRoute({
    method: 'GET',
    path: '/config',
    operation: 'getConfig',
    summary: 'Lists all settings with value and origin; secrets are masked.',
    permission: 'system:read',
    response: settingsSchema,
    handler: async ({ settings }) => ({ body: settingsResource(settings) }),
  }),
  apiRoute({
    method: 'GET',
    path: '/health',
    operation: 'getHealth',
    summary: 'Returns the readiness of the service.',
    permission: 'system:read',
    response: healthSchema,
    handler: async ({ live, release, node }) => {
      const { ready, reasons, notes } = await live.status()
      const status = ready ? ('ready' as const) : ('not ready' as const)
      return { body: { status, reasons: [...reasons], notes: [...notes], release, ...(node && { node }) } }
    },
  }),
]
