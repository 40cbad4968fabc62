import type { LayoutPage } from '../../web/layout.ts'

/** A page, as its handler returns it; navigation, path and frame are added. */
export interface PageView extends Omit<LayoutPage, 'path' | 'nav'> {
  /** Default: 200. */
  readonly status?: number
}
