import type { Operation } from '../../domain/operation.ts'
import type { ParamSet } from '../../versions/primitives/param.ts'
import type { Version } from '../../versions/version.ts'
import { feedParams } from './operations/feed-params.ts'

const ofFeeds: Readonly<Partial<Record<Operation, ParamSet>>> = feedParams
const noParams: ParamSet = {}

/**
 * Returns the query parameters of an operation: those of the version, or those of a feed operation, which are the same
 * in all.
 */
export const getParams = ({ params }: Version, operation: Operation): ParamSet =>
  params[operation] ?? ofFeeds[operation] ?? noParams
