declare module 'vitest' {
  interface ProvidedContext {
    /** Time limit of a test, in milliseconds; it follows the speed of the machine. */
    readonly limitMs: number
  }
}

export {}
