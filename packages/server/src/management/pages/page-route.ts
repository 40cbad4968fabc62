import type { IncomingMessage } from 'node:http'
import type { Actor } from '../../domain/actor.ts'
import type { AdminFault } from '../../domain/admin-fault.ts'
import type { AdminPermission, OwnPermission } from '../../domain/admin-permission.ts'
import type { Partner } from '../../domain/partner.ts'
import type { Session } from '../../domain/session.ts'
import type { User } from '../../domain/user.ts'
import type { Visibility } from '../../domain/visibility.ts'
import type { Site } from '../../web/site.ts'
import type { ManagementContext } from '../context.ts'
import type { PageView } from './page-view.ts'

/** A request for a page after all checks that do not depend on the page. */
export interface PageRequest {
  readonly params: Readonly<Record<string, string>>
  /** Parameters of the URL; of a repeated one the last. */
  readonly query: Readonly<Record<string, string | undefined>>
  /** Values of the form that was sent; empty for GET. */
  readonly form: FormValues
  readonly user: User
  readonly session: Session
  readonly actor: Actor
  /** All, or what belongs to `partner`. */
  readonly visibility: Visibility
  /** Returns true if the user may do what the permission allows, here; staff may nothing on the pages of a partner. */
  may(permission: AdminPermission | OwnPermission): boolean
  /** Time zone of the reader. */
  readonly zone: string
  readonly nowMs: number
  /** Path below the base path, without query. */
  readonly path: string
  readonly site: Site
  /** The request as received. */
  readonly raw: IncomingMessage
  /**
   * Reads the parts of a form with a file, in the order in which they were sent. Throws if the body is no such form.
   */
  upload(): AsyncIterable<UploadPart>
}

/** A part of a form with a file: the text of a field, or a file that must be read before the next part. */
export type UploadPart = { readonly name: string } & (
  | { readonly text: string }
  /** The name is empty if the reader chose no file. */
  | { readonly fileName: string; readonly file: AsyncIterable<Uint8Array> }
)

/** A request for a page of the portal. */
export interface PartnerRequest extends PageRequest {
  readonly partner: Partner
}

/** Reads the values of a form. */
export interface FormValues {
  /** Returns a value without surrounding white space; `''` if it is missing. */
  text(name: string): string
  /** Returns all values of a field that can be sent several times. */
  all(name: string): readonly string[]
}

/** Sends the reader to another page, which shows `message` once. */
export interface Redirect {
  /** Path below the base path, with its query. */
  readonly redirect: string
  /** The result as a sentence: "The key was disabled." */
  readonly message?: string
  /** Page that the redirect leads to once, at the address of the other page: a new secret, the result of a test. */
  readonly once?: PageView
}

/** A file that the browser stores. */
export interface DownloadAnswer {
  readonly fileName: string
  readonly type: string
  readonly body: string | Buffer
  /** True if the file leaves out rows of its list. */
  readonly isCut?: boolean
}

/** The answer of a handler. A fault becomes a page that explains it, with its status. */
export type PageAnswer = PageView | Redirect | DownloadAnswer | AdminFault

/** A row of the table of pages. */
export interface PageRoute {
  readonly method: 'GET' | 'POST'
  /** Path below the base path: `/portal/:partner/keys/:id`, `/console/partners`. */
  readonly path: string
  /** Permission that the user must have: of a partner's users for `/portal/:partner`, of staff for `/console`. */
  readonly permission: AdminPermission | OwnPermission
  /** True if the user must have proved within the last ten minutes who they are. */
  readonly proof: boolean
  /** Returns true if a request costs more than a page does, so that a lower rate applies. Default: exports. */
  readonly isCostly?: (query: PageRequest['query'], nowMs: number) => boolean
  readonly handler: (context: ManagementContext, request: PartnerRequest) => Promise<PageAnswer>
}

type Spec<P, R> = Pick<PageRoute, 'method' | 'path'> &
  Partial<Pick<PageRoute, 'proof' | 'isCostly'>> & {
    readonly permission: P
    readonly handler: (context: ManagementContext, request: R) => Promise<PageAnswer>
  }

/** Creates a row of the portal; `path` begins below `/portal/{partner}`. */
export const partnerPage = (spec: Spec<OwnPermission, PartnerRequest>): PageRoute => ({
  proof: false,
  ...spec,
  path: `/portal/:partner${spec.path}`,
})

/** Creates a row of the console; `path` begins below `/console`. */
export const consolePage = (spec: Spec<AdminPermission, PageRequest>): PageRoute => ({
  proof: false,
  ...spec,
  path: `/console${spec.path}`,
})
