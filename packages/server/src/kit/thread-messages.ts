/** A message from the owner of a thread. */
export type ToThread =
  | { readonly kind: 'request'; readonly number: number; readonly request: unknown }
  | { readonly kind: 'stop' }

/** A message from a thread to its owner. */
export type FromThread =
  | { readonly kind: 'reply'; readonly number: number; readonly result: unknown }
  | { readonly kind: 'failure'; readonly number: number; readonly message: string; readonly stack: string }
  | { readonly kind: 'event'; readonly event: unknown }
