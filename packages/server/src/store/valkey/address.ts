/** The address of a Valkey or Redis server, or of the Sentinels that know it. */
export interface ValkeyAddress {
  readonly hosts: readonly HostAndPort[]
  /** Name of the primary that the Sentinels watch; undefined if there is one host, which is the server itself. */
  readonly primary: string | undefined
  readonly tls: boolean
  readonly username: string | undefined
  readonly password: string | undefined
}

export interface HostAndPort {
  readonly host: string
  readonly port: number
}

const protocols: Readonly<Record<string, boolean>> = { valkey: false, redis: false, valkeys: true, rediss: true }
const pattern =
  /^(?<protocol>[a-z]+):\/\/(?:(?<username>[^:@/]*)(?::(?<password>[^@/]*))?@)?(?<hosts>[^/?#@]+)(?:\/(?<path>[^/?#]*))?$/

/**
 * Parses `valkey://[user[:password]@]host[:port]`, with `valkeys` for TLS, and `redis` or `rediss` as other names.
 * Several hosts, separated by commas, are Sentinels; the path is the name of their primary. Returns a sentence if the
 * text has another form.
 */
export function parseValkeyUrl(text: string): ValkeyAddress | string {
  const { protocol = '', username, password, hosts = '', path } = pattern.exec(text)?.groups ?? {}
  const tls = protocols[protocol]
  if (tls === undefined) return 'The address must look like valkey://host:6379, or valkeys://host:6379 for TLS.'
  const list = hosts.split(',').map(parseHost)
  if (list.includes(undefined))
    return 'Each host of the address must be a name or an IP address, and a port up to 65535.'
  const isSentinel = list.length > 1
  if (isSentinel && !path)
    return 'Several hosts are Sentinels; name their primary, as in valkey://a:26379,b:26379/name.'
  if (!isSentinel && path) return 'The address must end after the port: databases with numbers are not supported.'
  return {
    hosts: list as HostAndPort[],
    primary: isSentinel ? decodeURIComponent(path!) : undefined,
    tls,
    username: username ? decodeURIComponent(username) : undefined,
    password: password === undefined ? undefined : decodeURIComponent(password),
  }

  function parseHost(part: string): HostAndPort | undefined {
    const [, ipv6, name, port] = /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/.exec(part) ?? []
    const number = port === undefined ? (isList() ? 26_379 : 6379) : Number(port)
    const host = ipv6 ?? name
    return host === undefined || number === 0 || number > 65_535 ? undefined : { host, port: number }
  }

  function isList(): boolean {
    return hosts.includes(',')
  }
}

export const describeHost = ({ host, port }: HostAndPort): string => `${host}:${port}`

/** Describes an address without its password. */
export const describeAddress = ({ hosts }: ValkeyAddress): string => hosts.map(describeHost).join(', ')
