/** Benchmarks that the report leaves out, with the reason. */
export const excluded: Readonly<Record<string, string>> = {
  checkout: 'It compares with another checkout.',
  report: 'It is the report.',
}

export interface ReportSettings {
  /** Places in the flat format. */
  readonly file: string
  /** Data folder with these places. */
  readonly data: string
  /** Measure as briefly as possible. */
  readonly isQuick: boolean
}

/** Returns the arguments of each benchmark of the report, in the order of its sections. */
export function settingsOf({ file, data, isQuick }: ReportSettings): Readonly<Record<string, readonly string[]>> {
  const short = (normal: number) => String(isQuick ? 1 : normal)
  const some = (normal: number, quick: number) => String(isQuick ? quick : normal)
  const places = ['--places', file]
  const service = [...places, '--data', data]
  const load = ['--seconds', short(4), '--rounds', short(3)]
  return {
    peers: [...service, ...load],
    http: [...service, ...load],
    'limits-http': [...service, ...load],
    profile: [...service, '--seconds', short(8)],
    threads: load,
    cluster: [...places, '--seconds', short(2), '--rounds', short(5)],
    limits: ['--share', isQuick ? '0.01' : '0.1'],
    search: [...service, '--seconds', short(4), '--queries', some(3000, 60), '--peer-queries', some(150, 15)],
    nearby: [...service, '--seconds', short(4), '--queries', some(4000, 60)],
    recommendations: ['--data', data, '--queries', some(150, 5), '--rounds', short(2)],
    quality: [...places, '--seeds', isQuick ? '1' : '1,2', '--per-class', some(100, 2)],
    judged: [],
    stall: [...service, '--rounds', short(3), '--seconds', short(3)],
    reviews: ['--reviews', some(100_000, 1000), '--seconds', short(5)],
    versions: ['--rounds', short(9)],
    import: [file, '--index'],
    scale: [...places, '--reviews', some(1_000_000, 5000), '--seconds', short(5)],
    feeds: [file],
    'feeds-pull': service,
    usage: ['--rounds', short(9)],
    'request-log': ['--calls', some(200_000, 5000)],
    pages: ['--requests', some(8, 1)],
    polling: load,
    restart: ['--rounds', short(3)],
    connections: ['--connections', some(5000, 50), '--rounds', short(2), '--warm-up', short(3)],
    'slow-headers': ['--connections', some(5000, 50), '--seconds', short(8), '--rounds', short(2)],
    memory: [...service, '--minutes', isQuick ? '0.01' : '3'],
  }
}
