import { type Static, Type } from '../kit/json-schema.ts'
import { docsSettings } from './schema-docs.ts'
import { feedsSettings } from './schema-feeds.ts'
import { endpointsSettings, versionsSettings } from './schema-lifecycle.ts'
import { mailSettings } from './schema-mail.ts'
import { managementSettings } from './schema-management.ts'
import {
  autocompleteSettings,
  limitsSettings,
  metersSettings,
  packagesSettings,
  recommendationsSettings,
  searchSettings,
} from './schema-metering.ts'
import { photosSettings } from './schema-photos.ts'
import { serverSettings } from './schema-server.ts'
import { mapSettings, siteSettings } from './schema-site.ts'
import { blobsSetting, storeMaxStaleSetting, storeReplicasSetting, storeSetting } from './schema-store.ts'
import { syncSetting } from './schema-sync.ts'
import { usageSettings } from './schema-usage.ts'
import { webhooksSettings } from './schema-webhooks.ts'
import { section } from './section.ts'

/** Schema of all settings with types, bounds, defaults and descriptions. Validation and `config print` use it. */
export const configSchema = Type.Object(
  {
    data: Type.String({ default: './periplus-data', minLength: 1, description: 'Path of the data folder.' }),
    store: storeSetting,
    storeReplicas: storeReplicasSetting,
    storeMaxStaleSeconds: storeMaxStaleSetting,
    blobs: blobsSetting,
    server: serverSettings,
    management: managementSettings,
    limits: limitsSettings,
    meters: metersSettings,
    versions: versionsSettings,
    endpoints: endpointsSettings,
    docs: docsSettings,
    site: siteSettings,
    map: mapSettings,
    mail: mailSettings,
    webhooks: webhooksSettings,
    photos: photosSettings,
    journal: Type.Object(
      {
        keepDays: Type.Integer({ minimum: 1, default: 100, description: 'Days for which the journal is kept.' }),
        maxMb: Type.Integer({
          minimum: 64,
          default: 10_240,
          description: 'Maximum size of the journal in MB; records of calls without a charge are deleted first.',
        }),
        ship: Type.Enum(['closed', 'before-answer'], {
          default: 'closed',
          description:
            'Copy of the journal outside of the machine, with a database: closed (files that are complete, in the ' +
            'blobs) or before-answer (also each call in the database before it is answered, so that a lost disk ' +
            'loses no call; some milliseconds a call).',
        }),
      },
      section('Usage journal: a record of every call.'),
    ),
    requests: Type.Object(
      {
        keepDays: Type.Integer({ minimum: 1, default: 14, description: 'Days for which the request log keeps calls.' }),
        maxMb: Type.Integer({
          minimum: 1,
          default: 1024,
          description: 'Maximum size of the request log in MB; the oldest calls are deleted first.',
        }),
      },
      section('Request log: recent calls, to find and explain one. Billing never reads it.'),
    ),
    usage: usageSettings,
    changeLog: Type.Object(
      {
        keepDays: Type.Integer({
          minimum: 1,
          default: 35,
          description:
            'Minimum number of days for which the log of data changes is kept; feeds and the search index read it.',
        }),
      },
      section('Log of changes to the data.'),
    ),
    audit: Type.Object(
      {
        keepDays: Type.Integer({
          minimum: 365,
          default: 730,
          description: 'Number of days for which the audit of administrative changes is kept.',
        }),
      },
      section('Audit of administrative changes.'),
    ),
    cors: Type.Object(
      {
        origins: Type.Array(
          Type.String({ pattern: '^(\\*|[a-z][a-z0-9+.-]*://[^/\\s]+)$', examples: ['https://app.example', '*'] }),
          {
            default: [],
            description: 'Origins from which browsers may send requests, such as https://app.example; "*" for all.',
          },
        ),
        maxAgeSeconds: Type.Integer({
          minimum: 0,
          default: 86_400,
          description: 'Time for which browsers may cache a preflight response, in seconds.',
        }),
      },
      section('Requests from browsers (R-27).'),
    ),
    keys: Type.Object(
      { inQuery: Type.Boolean({ default: false, description: 'Accept API keys in ?key= and ?api_key= (R-01).' }) },
      section('API keys in requests.'),
    ),
    packages: packagesSettings,
    search: searchSettings,
    autocomplete: autocompleteSettings,
    recommendations: recommendationsSettings,
    feeds: feedsSettings,
    import: Type.Object(
      {
        defaultStatus: Type.Enum(['OPEN', 'none'], {
          default: 'OPEN',
          description: 'Status of imported records without a status (R-22).',
        }),
        categoryMap: Type.Record(Type.String(), Type.String(), {
          default: {},
          description:
            'Categories of the tree for words of imported records that it lacks, such as {izakaya: restaurant} (R-151).',
        }),
      },
      section('Import of records.'),
    ),
    imports: Type.Object(
      {
        uploadMb: Type.Integer({
          minimum: 1,
          maximum: 10_240,
          default: 50,
          description: 'Maximum size of a file that is uploaded for an import, in MB.',
        }),
      },
      section('Imports that are started by the admin API.'),
    ),
    sync: syncSetting,
    backup: Type.Object(
      {
        dir: Type.Optional(
          Type.String({
            minLength: 1,
            description: 'Folder for backups that are started by the admin API; each is a folder in it.',
          }),
        ),
      },
      section('Backups.'),
    ),
    cache: Type.Object(
      {
        locations: Type.Integer({
          minimum: 1,
          default: 32_768,
          description: 'Maximum number of locations in the memory cache; each takes about 4 KB.',
        }),
        packed: Type.Enum(['auto', 'always', 'never'], {
          default: 'auto',
          description:
            'Keep ready responses of all locations in files of the data folder. auto: if there are more than cache.locations.',
        }),
        packedMemoryMb: Type.Integer({
          minimum: 0,
          maximum: 65_536,
          default: 256,
          description:
            'Maximum size of the ready responses of one version in memory, without coding, in MB; if they have more, all are read from disk.',
        }),
        maxAgeSeconds: Type.Integer({
          minimum: 0,
          default: 300,
          description: 'max-age of responses in Cache-Control, in seconds (R-26).',
        }),
      },
      section('Caches of the service and of clients.'),
    ),
  },
  section('All settings.'),
)

/** A valid configuration, frozen. */
export type Config = Static<typeof configSchema>
