/** Time over which the rate is averaged, so that single slow batches do not move it, in seconds. */
const windowSeconds = 30
/** Minimum time between two samples, in seconds. */
const sampleSeconds = 1
/** Elapsed time and share of the work below which an estimate would be a guess. */
const minimum = { seconds: 10, share: 0.01 } as const

interface Sample {
  readonly seconds: number
  readonly done: number
}

/** The rate of a long command over the last half minute, and the remaining time. */
export class ProgressRate {
  #samples: readonly Sample[] = [{ seconds: 0, done: 0 }]

  add(sample: Sample): void {
    if (sample.seconds - this.#samples.at(-1)!.seconds < sampleSeconds) return
    const all = [...this.#samples, sample]
    // The first sample that remains is at least as old as the window.
    const first = all.findLastIndex(({ seconds }) => seconds <= sample.seconds - windowSeconds)
    this.#samples = all.slice(Math.max(0, first))
  }

  /** Returns the rate a second; undefined before the second sample. */
  get rate(): number | undefined {
    const [first, last] = [this.#samples[0]!, this.#samples.at(-1)!]
    return last.seconds > first.seconds ? (last.done - first.done) / (last.seconds - first.seconds) : undefined
  }

  /** Returns the remaining time as text; undefined while it cannot be estimated. */
  left(total: number): string | undefined {
    const { rate } = this
    const { seconds, done } = this.#samples.at(-1)!
    if (!rate || seconds < minimum.seconds || done < total * minimum.share || done >= total) return undefined
    return `about ${roundDuration((total - done) / rate)} left`
  }
}

/** Rounds a time so that its text changes seldom. */
function roundDuration(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds / 10) * 10} s`
  if (seconds < 5400) return `${Math.ceil(seconds / 60)} min`
  return `${(seconds / 3600).toFixed(1)} h`
}
