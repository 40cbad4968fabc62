declare module 'vitest' {
  interface ProvidedContext {
    /** Time limit of a test, in milliseconds, scaled to the speed of the machine. */
    readonly limitMs: number
  }
}

export {}
