/** Valkey and PostgreSQL over TLS, and the sentences of addresses and passwords that do not fit. */
import { createServer, type Server } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { PostgresPool, servingTimeouts } from '../../src/store/postgres/pool.ts'
import { parseValkeyUrl, type ValkeyAddress } from '../../src/store/valkey/address.ts'
import { ValkeyLimitStates } from '../../src/store/valkey/limit-states.ts'
import { openConnection } from '../../src/store/valkey/open-connection.ts'
import { createDatabase, describeWith, type RunningEngine, startSentinel, startValkey } from '../engines.ts'
import { Certificates, startTlsFront } from '../tls.ts'
import { scratch } from '../world.ts'

const password = 'a secret of tests'
const addressOf = (url: string) => parseValkeyUrl(url) as ValkeyAddress

/** Returns the message with which the cache of an address is refused; undefined if it can be used. */
async function refusalOf(url: string): Promise<string | undefined> {
  const states = new ValkeyLimitStates({ address: addressOf(url), clusterId: 'c', timeoutMs: 5000 })
  try {
    await states.identity()
    return undefined
  } catch (error) {
    return (error as Error).message
  } finally {
    await states.close()
  }
}

describeWith(['valkey', 'pg', 'openssl'], 'TLS', () => {
  const folder = scratch()
  let certificates: Certificates
  let own: ReturnType<Certificates['create']>
  let other: typeof own
  const fronts: Awaited<ReturnType<typeof startTlsFront>>[] = []
  const front = async (options: Parameters<typeof startTlsFront>[0]) => {
    const started = await startTlsFront(options)
    fronts.push(started)
    return started.port
  }
  let valkey: RunningEngine
  let sentinel: RunningEngine
  let mute: Server
  let database: Awaited<ReturnType<typeof createDatabase>>
  const secret = encodeURIComponent(password)

  beforeAll(async () => {
    certificates = new Certificates(folder.path)
    own = certificates.create('own', 'DNS:localhost,IP:127.0.0.1')
    other = certificates.create('other', 'DNS:other.test')
    valkey = await startValkey()
    sentinel = await startSentinel('places', valkey)
    const connection = await openConnection(addressOf(valkey.url), 5000)
    await connection.ask('CONFIG', 'SET', 'requirepass', password)
    connection.close()
    // A server that closes what is not TLS, as servers with TLS do.
    mute = createServer(socket => socket.on('error', () => {}).on('data', () => socket.destroy()))
    await new Promise<void>(resolve => mute.listen(0, '127.0.0.1', resolve))
    database = await createDatabase()
  })
  afterAll(async () => {
    await Promise.all(fronts.map(({ stop }) => stop()))
    mute?.close()
    await sentinel?.stop()
    await valkey?.stop()
    await database?.drop()
    folder.remove()
  })

  it('reaches a cache by name and by address, if the authority is trusted', async () => {
    const port = await front({ ...own, port: valkey.port })
    await certificates.whileTrusted(async () => {
      for (const host of ['localhost', '127.0.0.1'])
        expect(await refusalOf(`valkeys://:${secret}@${host}:${port}`)).toBeUndefined()
    })
    expect(await refusalOf(`valkeys://:${secret}@localhost:${port}`)).toBe(
      `localhost:${port} has a certificate of an unknown authority. Set NODE_EXTRA_CA_CERTS to the file of that authority.`,
    )
  })

  it('refuses caches whose certificate or protocol does not fit, with a sentence', async () => {
    const otherPort = await front({ ...other, port: valkey.port })
    const strictPort = await front({ ...own, port: valkey.port, wantsCertificate: true })
    const mutePort = (mute.address() as { port: number }).port
    await certificates.whileTrusted(async () => {
      expect(await refusalOf(`valkeys://localhost:${otherPort}`)).toMatch(/ has a certificate for another host\. Use /)
      expect(await refusalOf(`valkeys://localhost:${strictPort}`)).toMatch(/ requires a certificate of its clients\. /)
    })
    expect(await refusalOf(`valkeys://127.0.0.1:${mutePort}`)).toMatch(
      / closed .* Check that this is its port for TLS\.$/,
    )
    expect(await refusalOf(`valkey://127.0.0.1:${mutePort}`)).toMatch(/ Check that this is not its port for TLS\.$/)
  })

  it('refuses wrong passwords and Sentinels with a sentence, and shows no password', async () => {
    const at = `127.0.0.1:${valkey.port}`
    expect(await refusalOf(`valkey://${at}`)).toBe(`${at} requires a password. Set PERIPLUS_VALKEY_PASSWORD.`)
    expect(await refusalOf(`valkey://:other-secret@${at}`)).toBe(
      `${at} refuses the user or the password. Check limits.shared and PERIPLUS_VALKEY_PASSWORD.`,
    )
    const watched = `127.0.0.1:${sentinel.port}`
    expect(await refusalOf(`valkey://${watched}`)).toMatch(/ is a Sentinel\. Name all of them and their primary/)
    expect(await refusalOf(`valkey://:${secret}@${watched}`)).toMatch(/ has no password\. Set it there \(requirepass\)/)
    expect(await refusalOf(`valkey://${watched},127.0.0.1:1/other`)).toBe(
      `No Sentinel knows the primary other: ${watched} does not watch it. ` +
        '127.0.0.1:1 refuses connections. Check that it runs, and its port.',
    )
    expect(await refusalOf(`valkey://127.0.0.1:1,${watched}/places`)).toMatch(/:\d+ requires a password\./)
    expect(await refusalOf(`valkey://:${secret}@127.0.0.1:1,${watched}/places`)).toBeUndefined()
  })

  it('reaches PostgreSQL with sslmode=verify-full, and says why it does not', async () => {
    const { port, pathname, username } = new URL(database.url)
    const parameters = `?sslmode=verify-full&sslrootcert=${certificates.authority}`
    const query = async (to: number, rest = parameters) => {
      const url = `postgres://${username}@localhost:${to}${pathname}${rest}`
      const pool = new PostgresPool({ url, connections: 1, timeouts: { ...servingTimeouts, connectMs: 5000 } })
      return await pool
        .query('SELECT 1 AS one')
        .catch(error => (error as Error).message)
        .finally(() => pool.close())
    }
    const ownPort = await front({ ...own, port: Number(port), isPostgres: true })
    const otherPort = await front({ ...other, port: Number(port), isPostgres: true })
    expect(await query(ownPort)).toEqual([{ one: 1 }])
    expect(await query(ownPort, '?sslmode=verify-full')).toMatch(/ has a certificate of an unknown authority\. /)
    await certificates.whileTrusted(async () => {
      expect(await query(ownPort, '?sslmode=verify-full')).toEqual([{ one: 1 }])
    })
    expect(await query(otherPort)).toMatch(/^Database .* has a certificate for another host\. /)
    expect(await query(Number(port))).toMatch(/^Database .* does not use TLS on this port\. /)
  })
})
