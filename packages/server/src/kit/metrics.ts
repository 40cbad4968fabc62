import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** The value of a metric for one set of labels. */
export type MetricReading = readonly [labels: Readonly<Record<string, string | number>>, value: number]

/** The values of a histogram for one set of labels. */
export interface Distribution {
  readonly labels: Readonly<Record<string, string>>
  /** Number of observations in each bucket (above the previous bound, up to this bound), then above the last bound. */
  readonly counts: readonly number[]
  /** Sum of all observations. */
  readonly sum: number
}

type MaybePromise<T> = T | Promise<T>

/**
 * Metrics in the Prometheus text format. Each metric has a function that reads its values on a scrape, so that metrics
 * add no work to the measured code.
 */
export class Metrics {
  readonly #registry = new Registry()
  readonly #onError: (metric: string, error: unknown) => void
  readonly #beforeRender: () => Promise<void>

  /**
   * `onError` is called when a gauge cannot be read; the other metrics are still rendered. `beforeRender` is awaited
   * before each scrape.
   */
  constructor(
    onError: (metric: string, error: unknown) => void = () => {},
    beforeRender: () => Promise<void> = async () => {},
  ) {
    this.#onError = onError
    this.#beforeRender = beforeRender
  }

  get contentType(): string {
    return this.#registry.contentType
  }

  /** Returns all metrics in the Prometheus text format. */
  async render(): Promise<string> {
    await this.#beforeRender()
    return this.#registry.metrics()
  }

  /** Adds metrics of CPU, memory, file handles, garbage collection and event loop delay. */
  addProcessMetrics(): void {
    collectDefaultMetrics({ register: this.#registry })
  }

  /** Adds a gauge without labels; its value is NaN while `read` returns undefined or throws. */
  addGauge(name: string, help: string, read: () => MaybePromise<number | undefined>): void {
    const readOrNaN = async () => (await this.#tryRead(name, read)) ?? Number.NaN
    const collect = async function (this: Gauge) {
      this.set(await readOrNaN())
    }
    new Gauge({ name, help, registers: [this.#registry], collect })
  }

  /** Adds a gauge with labels; it has no values while `read` throws. */
  addGauges(name: string, help: string, labelNames: string[], read: () => MaybePromise<Iterable<MetricReading>>): void {
    const readOrNothing = async () => (await this.#tryRead(name, read)) ?? []
    const collect = async function (this: Gauge) {
      const readings = await readOrNothing()
      this.reset()
      for (const [labels, value] of readings) this.set(labels, value)
    }
    new Gauge({ name, help, labelNames, registers: [this.#registry], collect })
  }

  /** Adds a counter with labels. */
  addCounters(name: string, help: string, labelNames: string[], read: () => Iterable<MetricReading>): void {
    const collect = function (this: Counter) {
      this.reset()
      for (const [labels, value] of read()) this.inc(labels, value)
    }
    new Counter({ name, help, labelNames, registers: [this.#registry], collect })
  }

  async #tryRead<T>(name: string, read: () => MaybePromise<T>): Promise<T | undefined> {
    try {
      return await read()
    } catch (error) {
      this.#onError(name, error)
      return undefined
    }
  }

  /** Adds a histogram with labels; `bounds` are the upper bounds of its buckets. */
  addHistograms(
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

/** A histogram that reads all its values on a scrape. */
class ReadHistogram extends Histogram {
  readonly #settings: { readonly name: string; readonly help: string }
  readonly #bounds: readonly number[]
  readonly #read: () => Iterable<Distribution>

  constructor(
    settings: ConstructorParameters<typeof Histogram>[0],
    bounds: readonly number[],
    read: () => Iterable<Distribution>,
  ) {
    super(settings)
    this.#settings = settings
    this.#bounds = bounds
    this.#read = read
  }

  /** Called by the registry; returns the values in the order of the text format. */
  async getForPromString() {
    const { name, help } = this.#settings
    return {
      name,
      help,
      type: 'histogram',
      values: [...this.#read()].flatMap(distribution => this.#toValues(distribution)),
    }
  }

  #toValues({ labels, counts, sum }: Distribution) {
    const { name } = this.#settings
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
