import type { Actor } from '../domain/actor.ts'
import type { AdminFault } from '../domain/admin-fault.ts'
import type { AdminPermission } from '../domain/admin-permission.ts'
import type { Visibility } from '../domain/visibility.ts'
import type { Static, TObject, TSchema } from '../kit/json-schema.ts'
import type { csvText } from '../resources/csv.ts'
import type { RenderedPage } from '../web/html.ts'
import type { ManagementContext } from './context.ts'
import type { Problem } from './problem.ts'

export type ApiMethod = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

/** A request of the admin API after all checks that do not depend on its resource. */
export interface ApiRequest<Q, B> {
  readonly params: Readonly<Record<string, string>>
  readonly query: Q
  readonly body: B
  readonly actor: Actor
  /** Returns true if the token has a permission. */
  may(permission: AdminPermission): boolean
  /** The part of the data that the token sees. */
  readonly visibility: Visibility
  /** Revision of If-Match; 0 where the route requires none and none was sent. */
  readonly expectedRevision: number
  /** The body as received; for routes that read their own. */
  readonly raw: AsyncIterable<Uint8Array>
}

/** The answer of a handler. */
export interface ApiAnswer<R> {
  /** Undefined for 204. */
  readonly body: R
  /** Default: the status of the route. */
  readonly status?: number
  /** Sent as ETag. */
  readonly revision?: number
  /** The same as a page to print, for clients that accept text/html. */
  readonly page?: RenderedPage
  /** Path of a created resource or job, below `/admin/v1`. */
  readonly location?: string
}

/** A row of the route table of the admin API. */
export interface ApiRoute {
  readonly method: ApiMethod
  /** Path below `/admin/v1`, with parameters as in `/keys/:id`. */
  readonly path: string
  /** Name of the operation in the OpenAPI document. */
  readonly operation: string
  readonly summary: string
  readonly permission: AdminPermission
  /** Permissions that admit as well; the handler then decides about the resource. */
  readonly alternatives: readonly AdminPermission[]
  /** True if tokens of one partner may use the route; it then shows them what belongs to this partner alone. */
  readonly forPartners: boolean
  /** True if a change requires If-Match: PATCH, PUT and DELETE of resources with a revision. */
  readonly ifMatch: boolean
  /** Schema of the query parameters; all others are rejected. */
  readonly query: TObject | undefined
  /** Schema of the JSON body; undefined for no body; `raw` if the handler reads it. */
  readonly body: TObject | 'raw' | undefined
  /** Status of success. */
  readonly status: number
  /** Schema of the body of the answer; undefined for 204. */
  readonly response: TSchema | undefined
  /**
   * Returns the lines of an answer as CSV, the first with the names of the columns; undefined if the route has none.
   */
  readonly csv: ((body: never, query: never) => CsvLines) | undefined
  /** True if answers have a page. */
  readonly hasPage: boolean
  readonly handler: (
    context: ManagementContext,
    request: ApiRequest<unknown, unknown>,
  ) => Promise<ApiAnswer<unknown> | AdminFault | Problem>
}

/** Lines of cells; see csvText. */
export type CsvLines = Parameters<typeof csvText>[0]

type ValueOf<S> = S extends TSchema ? Static<S> : Record<string, never>

/** A row as a file of `api/` writes it. */
interface ApiRouteSpec<Q, B, R>
  extends Pick<ApiRoute, 'method' | 'path' | 'operation' | 'summary' | 'permission'>,
    Partial<Pick<ApiRoute, 'alternatives' | 'forPartners' | 'ifMatch' | 'status' | 'hasPage'>> {
  readonly query?: Q
  readonly body?: B
  readonly response?: R
  readonly csv?: (body: ValueOf<R>, query: ValueOf<Q>) => CsvLines
  readonly handler: (
    context: ManagementContext,
    request: ApiRequest<ValueOf<Q>, ValueOf<B>>,
  ) => Promise<ApiAnswer<ValueOf<R>> | AdminFault | Problem>
}

/** Creates a row; the types of its schemas are those of its handler. */
export function apiRoute<
  Q extends TObject | undefined = undefined,
  B extends TObject | 'raw' | undefined = undefined,
  R extends TSchema | undefined = undefined,
>(spec: ApiRouteSpec<Q, B, R>): ApiRoute {
  const changes = spec.method === 'PATCH' || spec.method === 'PUT' || spec.method === 'DELETE'
  return {
    ...spec,
    alternatives: spec.alternatives ?? [],
    forPartners: spec.forPartners ?? false,
    ifMatch: spec.ifMatch ?? changes,
    query: spec.query,
    body: spec.body,
    status: spec.status ?? (spec.response === undefined ? 204 : 200),
    response: spec.response,
    csv: spec.csv as ApiRoute['csv'],
    hasPage: spec.hasPage ?? false,
    handler: spec.handler as ApiRoute['handler'],
  }
}
