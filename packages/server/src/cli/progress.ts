import { Presets, SingleBar } from 'cli-progress'

/** Shows the progress of a long command on standard error. */
export interface Progress {
  update(done: { readonly bytes: number; readonly rows: number; readonly seconds: number }): void
  stop(): void
}

/** Minimum time between two lines if standard error is not a terminal. */
const plainEverySeconds = 5

/** Shows a bar with rate and remaining time on a terminal, otherwise a line every few seconds. */
export function showProgress(name: string, totalBytes: number | undefined, unit = 'rows'): Progress {
  return process.stderr.isTTY && totalBytes !== undefined ? bar(name, totalBytes, unit) : plain(name, totalBytes, unit)
}

function bar(name: string, totalBytes: number, unit: string): Progress {
  const shown = new SingleBar(
    {
      format: `${name} {bar} {percentage}% | {rows} ${unit} | {rate} ${unit}/s | {eta_formatted} left`,
      stream: process.stderr,
      hideCursor: true,
    },
    Presets.shades_classic,
  )
  shown.start(totalBytes, 0, { rows: 0, rate: 0 })
  return {
    update: ({ bytes, rows, seconds }) => shown.update(bytes, { rows, rate: Math.round(rows / seconds) }),
    stop: () => shown.stop(),
  }
}

function plain(name: string, totalBytes: number | undefined, unit: string): Progress {
  let shownAt = 0
  return {
    update: ({ bytes, rows, seconds }) => {
      if (seconds - shownAt < plainEverySeconds) return
      shownAt = seconds
      const share = totalBytes ? bytes / totalBytes : undefined
      const left = share
        ? `, ${Math.round(share * 100)} %, about ${Math.ceil((seconds / share) * (1 - share))} s left`
        : ''
      process.stderr.write(`${name}: ${rows} ${unit}, ${Math.round(rows / seconds)} ${unit}/s${left}\n`)
    },
    stop: () => {},
  }
}
