/** Time between two lines of progress, in milliseconds. */
const everyMs = 10_000

/** Creates a reporter of a long run, which prints only if `npm run soak` runs it. */
export function createProgress(name: string, total: number): (done: number) => void {
  let isComplete = false
  let lastMs = Number(process.hrtime.bigint() / 1_000_000n)
  return done => {
    const nowMs = Number(process.hrtime.bigint() / 1_000_000n)
    if (process.env.PERIPLUS_PROGRESS === undefined || isComplete || (nowMs - lastMs < everyMs && done < total)) return
    lastMs = nowMs
    isComplete = done >= total
    console.log(`${name}: ${done} of ${total}`)
  }
}
