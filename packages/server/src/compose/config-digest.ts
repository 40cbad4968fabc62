import { createHash } from 'node:crypto'
import type { Config } from '../config/load.ts'
import { listSettings } from './configuration.ts'

/** Settings that may differ between the nodes of a database: folders, ports, files and resources of a machine. */
const ownSettings =
  /^(data|store|storeReplicas|server\.(?!publicUrl$|basePath$).+|management\.(port|host|insecureHttp)|backup\.dir|cache\..+|journal\.maxMb|requests\.maxMb|.+File)$/

/** Returns a digest of the settings that all nodes of a database must share; secrets are not part of it. */
export function digestConfig(config: Config): string {
  const settings = listSettings({ config, sources: new Map() }).filter(({ setting }) => !ownSettings.test(setting))
  const values = settings.map(({ setting, value }) => [setting, value])
  return createHash('sha256').update(JSON.stringify(values)).digest('hex')
}
