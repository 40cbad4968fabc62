import type { Actor } from './actor.ts'

/**
 * The resources that a reader may see: all, or those of one partner. A store answers for an invisible one as for an
 * unknown one.
 */
export type Visibility = { readonly all: true } | { readonly partnerId: string }

/** The visibility of staff and of the system. */
export const everything: Visibility = { all: true }

/** Returns the resources that an actor may see. */
export const visibilityOf = ({ partnerId }: Actor): Visibility => (partnerId === undefined ? everything : { partnerId })

/** Returns true if a resource of the partner is visible; undefined is a resource of the operator. */
export const isVisible = (visibility: Visibility, partnerId: string | undefined): boolean =>
  'all' in visibility || visibility.partnerId === partnerId
