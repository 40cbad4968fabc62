/** The result of checking a valid configuration. */
export interface ConfigStatus {
  /** Settings that are valid but unwise, by their path. */
  readonly warnings: readonly { readonly path: string; readonly text: string }[]
  /** The version that answers requests without one. */
  readonly defaultVersion: string
}
