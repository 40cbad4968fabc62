/** The interface through which an administrative action arrives. */
export type Interface = 'portal' | 'api' | 'cli' | 'system'

/** The person or program that performs an administrative action. */
export interface Actor {
  readonly kind: 'user' | 'token' | 'cli' | 'system'
  /** Id of the user or token; the name of the system user for `cli`; the component's name for `system`. */
  readonly id: string
  readonly via: Interface
  /** Set when the actor acts for one partner only. */
  readonly partnerId?: string
  readonly requestId?: string
  /** Network address from which the action came. */
  readonly address?: string
}
