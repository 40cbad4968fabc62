import type { Config } from '../config/load.ts'
import { CommandError } from './errors.ts'

/** Node's error for an address on which it cannot listen. */
interface ListenError extends NodeJS.ErrnoException {
  readonly address?: string
  readonly port?: number
}

/** Returns the message of an address that cannot be used; any other error as it is. */
export function listenError(error: unknown, server: Config['server']): unknown {
  const { code, address: host = server.host, port = server.port } = error as ListenError
  if (code === 'EADDRINUSE')
    return new CommandError(`Port ${port} on ${host} is in use. Choose another one with --port N.`)
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new CommandError(
      `The address ${host} does not belong to this machine. Choose another one with --host ADDRESS.`,
    )
  if (code === 'EACCES')
    return new CommandError(`Port ${port} requires more privileges. Choose one above 1023 with --port N.`)
  return error
}
