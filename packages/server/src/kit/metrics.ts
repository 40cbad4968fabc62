import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** A number with its labels. */
export type Reading = readonly [labels: Readonly<Record<string, string | number>>, value: number]

/** A distribution with its labels: how many lie at most at each bound and above the one before, the rest last. */
export interface Distribution {
  readonly labels: Readonly<Record<string, string>>
  readonly counts: readonly number[]
  readonly sum: number
}

type MaybePromise<T> = T | Promise<T>

/**
 * Metrics in the text format of Prometheus. Nothing is counted here: each metric names what it reads when somebody
 * looks, so that what is measured pays nothing for it.
 */
export class Metrics {
  readonly #registry = new Registry()

  get contentType(): string {
    return this.#registry.contentType
  }

  text(): Promise<string> {
    return this.#registry.metrics()
  }

  /** CPU, memory, file handles, garbage collection and the delay of the event loop. */
  ofProcess(): void {
    collectDefaultMetrics({ register: this.#registry })
  }

  /** One number that goes up and down; not a number while `read` gives none. */
  gauge(name: string, help: string, read: () => MaybePromise<number | undefined>): void {
    const collect = async function (this: Gauge) {
      this.set((await read()) ?? Number.NaN)
    }
    new Gauge({ name, help, registers: [this.#registry], collect })
  }

  /** Numbers that go up and down, one for each set of labels. */
  gauges(name: string, help: string, labelNames: string[], read: () => MaybePromise<Iterable<Reading>>): void {
    const collect = async function (this: Gauge) {
      const readings = await read()
      this.reset()
      for (const [labels, value] of readings) this.set(labels, value)
    }
    new Gauge({ name, help, labelNames, registers: [this.#registry], collect })
  }

  /** Numbers that only grow, one for each set of labels. */
  counters(name: string, help: string, labelNames: string[], read: () => Iterable<Reading>): void {
    const collect = function (this: Counter) {
      this.reset()
      for (const [labels, value] of read()) this.inc(labels, value)
    }
    new Counter({ name, help, labelNames, registers: [this.#registry], collect })
  }

  /** Distributions over `bounds`, one for each set of labels. */
  histograms(
    name: string,
    help: string,
    labelNames: string[],
    bounds: readonly number[],
    read: () => Iterable<Distribution>,
  ): void {
    const settings = { name, help, labelNames, buckets: [...bounds], registers: [this.#registry] }
    new ReadHistogram(settings, bounds, read)
  }
}

/** A histogram of the library that is read as a whole instead of being told each value. */
class ReadHistogram extends Histogram {
  readonly #told: { readonly name: string; readonly help: string }
  readonly #bounds: readonly number[]
  readonly #read: () => Iterable<Distribution>

  constructor(
    settings: ConstructorParameters<typeof Histogram>[0],
    bounds: readonly number[],
    read: () => Iterable<Distribution>,
  ) {
    super(settings)
    this.#told = settings
    this.#bounds = bounds
    this.#read = read
  }

  /** What the registry asks for; values in the order of the text format. */
  async getForPromString() {
    const { name, help } = this.#told
    return { name, help, type: 'histogram', values: [...this.#read()].flatMap(one => this.#valuesOf(one)) }
  }

  #valuesOf({ labels, counts, sum }: Distribution) {
    const { name } = this.#told
    let total = 0
    const buckets = counts.map((count, i) => {
      total += count
      return { metricName: `${name}_bucket`, labels: { ...labels, le: this.#bounds[i] ?? '+Inf' }, value: total }
    })
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels, value: sum },
      { metricName: `${name}_count`, labels, value: total },
    ]
  }
}
