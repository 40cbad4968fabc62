/** Time between two lines of progress, in milliseconds. */
const everyMs = 10_000

/** Creates a reporter of a long run, which prints only if `npm run soak` runs it. */
export function createProgress(name: string, total: number): (done: number) => void {
  let lastMs = performance.now()
  return done => {
    const nowMs = performance.now()
    if (process.env.PERIPLUS_PROGRESS === undefined || (nowMs - lastMs < everyMs && done < total)) return
    lastMs = nowMs
    console.log(`${name}: ${done} of ${total}`)
  }
}
