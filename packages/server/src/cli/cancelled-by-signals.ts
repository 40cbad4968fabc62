const signals = ['SIGINT', 'SIGTERM'] as const

/** Runs `work`. The first SIGINT or SIGTERM cancels it; the second one ends the process. */
export async function cancelledBySignals<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController()
  const cancel = () => {
    for (const signal of signals) process.off(signal, cancel)
    process.stderr.write('Cancelling after the current batch; send the signal again to stop immediately.\n')
    controller.abort()
  }
  for (const signal of signals) process.on(signal, cancel)
  try {
    return await work(controller.signal)
  } finally {
    for (const signal of signals) process.off(signal, cancel)
  }
}
