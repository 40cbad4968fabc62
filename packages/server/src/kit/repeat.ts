/** Options of `repeat`. */
export interface RepeatOptions {
  readonly everyMs: number
  /** Called with each error of the task; the task continues to run every `everyMs`. */
  readonly onError: (error: unknown) => void
}

/** Runs an asynchronous task now and every `everyMs`, one run at a time. `stop` resolves after the current run. */
export function repeat(task: () => Promise<unknown>, { everyMs, onError }: RepeatOptions): { stop(): Promise<void> } {
  let running: Promise<void> | undefined
  const run = async (): Promise<void> => {
    try {
      await task()
    } catch (error) {
      onError(error)
    }
  }
  const start = () => {
    running ??= run().finally(() => {
      running = undefined
    })
  }
  start()
  const timer = setInterval(start, everyMs)
  return {
    stop: async () => {
      clearInterval(timer)
      await running
    },
  }
}
