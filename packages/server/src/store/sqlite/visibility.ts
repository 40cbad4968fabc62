import type { Visibility } from '../../domain/visibility.ts'

/** The condition of a query whose parameter `@visible` is `visibleParameter`, for the column of the partner. */
export const isVisibleSql = (partnerColumn: string): string => `(@visible IS NULL OR ${partnerColumn} = @visible)`

/** Returns the parameter `@visible`: the partner, or null for everything. */
export const visibleParameter = (visibility: Visibility): { visible: string | null } => ({
  visible: 'all' in visibility ? null : visibility.partnerId,
})
