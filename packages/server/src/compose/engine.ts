import type { Config } from '../config/load.ts'
import { folderStore } from '../config/schema-store.ts'
import { describeReplacedFile, type ReplacedFile } from '../domain/store-errors.ts'
import type { Engine, EngineDescriptor } from '../domain/stores.ts'
import { createReadChoice, type OpenEngineOptions, openEngine } from '../store/engine.ts'

/** Returns the descriptor of the configured engine. */
export const describeEngine = (
  { data: folder, store }: Config,
  { PERIPLUS_PEPPER_FILE: pepperFile }: NodeJS.ProcessEnv = process.env,
): EngineDescriptor =>
  store === folderStore
    ? { kind: 'sqlite', folder }
    : { kind: 'postgres', folder, url: store, ...(pepperFile && { pepperFile }) }

/** Returns the descriptor of the configured engine for requests, with the replicas that these read from. */
export function describeServingEngine(config: Config): EngineDescriptor {
  const descriptor = describeEngine(config)
  if (descriptor.kind === 'sqlite') return descriptor
  const { storeReplicas: urls } = config
  return { ...descriptor, waiting: 'calls', ...(urls.length > 0 && { replicas: { urls, choice: createReadChoice() } }) }
}

/** Opens the engine of the configured data folder. By default, replaced files are reported on standard error. */
export const openConfiguredEngine = (config: Config, options: OpenEngineOptions): Engine =>
  openEngine(describeEngine(config), { onReplaced: printReplacedFile, ...options })

/** Reports a replaced file on standard error, as commands do. */
export const printReplacedFile = (replaced: ReplacedFile): void =>
  void process.stderr.write(`${describeReplacedFile(replaced)}\n`)

/** Calls `work` with the engine of the configured data folder, and closes it afterwards. */
export async function withEngine<T>(
  config: Config,
  options: OpenEngineOptions,
  work: (engine: Engine) => Promise<T>,
): Promise<T> {
  const engine = openConfiguredEngine(config, options)
  try {
    return await work(engine)
  } finally {
    await engine.close()
  }
}
