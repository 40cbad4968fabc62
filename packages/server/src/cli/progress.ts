import { Presets, SingleBar } from 'cli-progress'
import { ProgressRate } from './progress-rate.ts'

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
      format: `${name} {bar} {percentage}% | {rows} ${unit}{rate}{left}`,
      stream: process.stderr,
      hideCursor: true,
      fps: 2,
    },
    Presets.shades_classic,
  )
  const rates = createRates(totalBytes, unit)
  shown.start(totalBytes, 0, { rows: 0, rate: '', left: '' })
  return {
    update: done => {
      const { rate, left } = rates(done)
      shown.update(done.bytes, { rows: done.rows, rate: rate && ` | ${rate}`, left: left && ` | ${left}` })
    },
    stop: () => shown.stop(),
  }
}

function plain(name: string, totalBytes: number | undefined, unit: string): Progress {
  const rates = createRates(totalBytes, unit)
  let shownAt = 0
  return {
    update: done => {
      const { rate, left } = rates(done)
      const { bytes, rows, seconds } = done
      if (seconds - shownAt < plainEverySeconds) return
      shownAt = seconds
      const share = totalBytes ? `${Math.floor((bytes / totalBytes) * 100)} %` : ''
      const parts = [`${rows} ${unit}`, rate, share, left].filter(part => part !== '')
      process.stderr.write(`${name}: ${parts.join(', ')}\n`)
    },
    stop: () => {},
  }
}

/** Creates the function that returns the texts of the rate and of the remaining time, which are empty at first. */
function createRates(totalBytes: number | undefined, unit: string) {
  const [ofBytes, ofRows] = [new ProgressRate(), new ProgressRate()]
  return ({ bytes, rows, seconds }: Parameters<Progress['update']>[0]) => {
    ofBytes.add({ seconds, done: bytes })
    ofRows.add({ seconds, done: rows })
    const { rate } = ofRows
    return {
      rate: rate === undefined ? '' : `${Math.round(rate)} ${unit}/s`,
      left: (totalBytes && ofBytes.left(totalBytes)) || '',
    }
  }
}
