import { accessSync, constants } from 'node:fs'

const example = 'postgres://periplus@db.internal/periplus'

/** Modes of TLS that mean the same here as for other programs that read the URL; `no-verify` is of the driver. */
const tlsModes = ['disable', 'no-verify', 'verify-full']
const fileParameters = ['sslrootcert', 'sslcert', 'sslkey']
const passwordParameters = ['password', 'sslpassword']

/** Returns what is wrong with the URL of a database, without a period; undefined if it can be used. */
export function findDatabaseUrlError(text: string): string | undefined {
  if (!/^postgres(ql)?:\/\/\S+$/.test(text) || !URL.canParse(text))
    return `not a valid URL; expected one such as ${example}`
  const parameters = new URL(text).searchParams
  const mode = parameters.get('sslmode')
  if (mode !== null && !tlsModes.includes(mode))
    return 'sslmode must be verify-full (sslrootcert names the file of an authority of your own), no-verify or disable'
  const file = fileParameters.map(name => parameters.get(name)).find(path => path !== null && !isReadable(path))
  if (file) return `the file ${file} cannot be read; expected certificates or a key in PEM`
  if (passwordParameters.some(name => parameters.has(name)))
    return 'the password must not be a parameter; it comes from PGPASSWORD or the pass file'
  return undefined
}

function isReadable(file: string): boolean {
  try {
    accessSync(file, constants.R_OK)
    return true
  } catch {
    return false
  }
}
