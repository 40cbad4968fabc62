import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** Returns the YAML library. It is loaded at the first call, because most commands read no YAML. */
export const loadYaml = (): typeof import('yaml') => require('yaml')
