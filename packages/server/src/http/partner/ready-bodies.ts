import type { Id } from '../../domain/id.ts'
import type { Locale } from '../../domain/locale.ts'
import { isFullScope, type Scope } from '../../domain/scope.ts'
import type { Version } from '../../versions/version.ts'
import type { RenderedBody } from '../wire/rendered.ts'

/** Bodies of locations that were made before. */
export interface ReadyBodies {
  /** Returns the body of a location in a version, without locales; undefined if it has to be rendered. */
  find(id: Id, version: Version): RenderedBody | undefined
}

/** The parts of a call on which the bodies of locations depend. */
export interface BodyTerms {
  readonly version: Version
  readonly scope: Scope
  readonly locales: readonly Locale[]
}

/** Finds the body of a location for a call. The store decides what a restricted scope contains. */
export const findReady = (
  ready: ReadyBodies,
  { version, scope, locales }: BodyTerms,
  id: Id,
): RenderedBody | undefined => (locales.length === 0 && isFullScope(scope) ? ready.find(id, version) : undefined)
