import type { IncomingHttpHeaders } from 'node:http'
import type { SessionUse } from '../../domain/autocomplete-session.ts'
import type { Fault } from '../../domain/fault.ts'
import type { Key } from '../../domain/key.ts'
import type { Operation } from '../../domain/operation.ts'
import type { Scope } from '../../domain/scope.ts'
import type { Eventual } from '../../kit/chain.ts'
import type { RawQuery } from '../../versions/primitives/param.ts'
import type { Version } from '../../versions/version.ts'
import type { RenderedBody } from '../wire/rendered.ts'
import type { Representation } from '../wire/represent.ts'

/** A call that has passed the checks of version, key, grant and limits. */
export interface Call {
  readonly version: Version
  readonly scope: Scope
  readonly key: Key
  /** Values of the `:names` in the route's path. */
  readonly params: Readonly<Record<string, string>>
  readonly query: RawQuery
  readonly headers: IncomingHttpHeaders
  /** Returns true if the client has closed its connection. */
  readonly isGone: () => boolean
  /** Path below which the operation was called, if not at its own: that of a profile. */
  readonly prefix?: string
  /** Reads the body; undefined for operations without one. */
  readonly readBody?: (() => Promise<Buffer | Fault>) | undefined
}

/** The result of an operation, and the number of entities in it. */
export type OperationResult = {
  readonly entities: number
  /** The session of search-as-you-type that the call used. */
  readonly session?: SessionUse | undefined
  /** Headers that extend or override the default response headers. */
  readonly headers?: Readonly<Record<string, string>>
  /** The URL of the next page, for the header `Link`. */
  readonly next?: string | undefined
  /** Deprecation headers that replace those of version and endpoint. */
  readonly lifecycleHeaders?: Readonly<Record<string, string>>
} & ({ readonly rendered: RenderedBody } | Download)

/** A stored file or a part of it, with the id of its feed snapshot, which has separate limits. */
export interface Download {
  readonly representation: Representation
  readonly snapshot: string
}

/** Runs one operation: reads its parameters, calls its use case, presents the outcome. */
export type Handler = (call: Call) => Eventual<OperationResult | Fault>

export type Operations = Readonly<Record<Operation, Handler>>

/** Handlers by operation, with their dependencies as the first parameter. */
export type HandlerTable<Parts, Name extends Operation = Operation> = Readonly<
  Record<Name, (parts: Parts, call: Call) => Eventual<OperationResult | Fault>>
>

/** Binds every handler of a table to its dependencies. */
export function bindParts<Parts, Name extends Operation>(
  parts: Parts,
  handlers: HandlerTable<Parts, Name>,
): Readonly<Record<Name, Handler>> {
  const names = Object.keys(handlers) as Name[]
  return Object.fromEntries(names.map(name => [name, (call: Call) => handlers[name](parts, call)])) as Record<
    Name,
    Handler
  >
}
