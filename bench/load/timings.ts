/** Quantiles of run times in milliseconds, and the number of runs per second. */
export interface Timings {
  readonly p50: number
  readonly p95: number
  readonly p99: number
  readonly 'p99.9': number
  readonly max: number
  readonly perSecond: number
}

/** Times `run` for each number below `count`, sequentially, after a short warm-up. */
export async function timed(count: number, run: (i: number) => unknown): Promise<Timings> {
  for (let i = 0; i < Math.min(count, 200); i++) await run(i)
  const times = new Float64Array(count)
  const startMs = performance.now()
  for (let i = 0; i < count; i++) {
    const fromMs = performance.now()
    const outcome = run(i)
    if (outcome instanceof Promise) await outcome
    times[i] = performance.now() - fromMs
  }
  const seconds = (performance.now() - startMs) / 1000
  times.sort()
  const quantile = (share: number) => Number(times[Math.min(count - 1, Math.floor(count * share))]!.toFixed(3))
  return {
    p50: quantile(0.5),
    p95: quantile(0.95),
    p99: quantile(0.99),
    'p99.9': quantile(0.999),
    max: quantile(1),
    perSecond: Math.round(count / seconds),
  }
}
