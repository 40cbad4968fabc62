/** Servers with TLS: certificates of an authority of the tests, and a front that adds TLS to a server without it. */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { createSecureContext, getCACertificates, setDefaultCACertificates, TLSSocket } from 'node:tls'

const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']

/** Certificates in a folder: `ca.pem` is that of the authority. */
export class Certificates {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
    this.#openssl([
      'req',
      '-x509',
      ...newKey,
      '-keyout',
      'ca.key',
      '-out',
      'ca.pem',
      '-subj',
      '/CN=tests',
      '-days',
      '2',
    ])
  }

  /** Path of the certificate of the authority. */
  get authority(): string {
    return join(this.#folder, 'ca.pem')
  }

  /** Creates a certificate for hosts, such as `DNS:localhost`. */
  create(name: string, hosts: string): { readonly key: Buffer; readonly cert: Buffer } {
    const [key, request, cert] = [`${name}.key`, `${name}.csr`, `${name}.pem`]
    writeFileSync(join(this.#folder, 'extensions'), `subjectAltName=${hosts}\n`)
    this.#openssl(['req', ...newKey, '-keyout', key, '-out', request, '-subj', `/CN=${name}`])
    const signed = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-extfile', 'extensions', '-days', '2']
    this.#openssl(['x509', '-req', '-in', request, '-out', cert, ...signed])
    return { key: readFileSync(join(this.#folder, key)), cert: readFileSync(join(this.#folder, cert)) }
  }

  /** Has this process trust the authority, as NODE_EXTRA_CA_CERTS does at its start, while `work` runs. */
  async whileTrusted<T>(work: () => Promise<T>): Promise<T> {
    const before = getCACertificates('default')
    setDefaultCACertificates([...before, readFileSync(this.authority, 'utf8')])
    return await work().finally(() => setDefaultCACertificates(before))
  }

  #openssl(args: readonly string[]): void {
    execFileSync('openssl', args, { cwd: this.#folder, stdio: 'ignore' })
  }
}

interface FrontOptions {
  readonly key: Buffer
  readonly cert: Buffer
  /** Port of the server without TLS. */
  readonly port: number
  /** True for PostgreSQL, whose clients ask for TLS before they begin it. */
  readonly isPostgres?: boolean
  /** True to refuse clients without a certificate. */
  readonly wantsCertificate?: boolean
}

/** Starts a front with TLS on a free port; returns the port, and a function that ends it. */
export async function startTlsFront({ port, isPostgres, wantsCertificate, ...pair }: FrontOptions) {
  const secureContext = createSecureContext(pair)
  const open = new Set<Socket>()
  const serve = (socket: Socket): void => {
    const requestCert = wantsCertificate === true
    const client = new TLSSocket(socket, { isServer: true, secureContext, requestCert, rejectUnauthorized: true })
    const server = connect(port, '127.0.0.1')
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      open.add(one)
      one.on('error', () => {}).on('close', () => other.destroy())
      one.pipe(other)
    }
  }
  const front: Server = createServer(socket => {
    socket.on('error', () => {})
    if (!isPostgres) return serve(socket)
    socket.once('readable', () => {
      socket.read(8)
      socket.write('S')
      serve(socket)
    })
  })
  await new Promise<void>(resolve => front.listen(0, '127.0.0.1', resolve))
  const stop = async () => {
    for (const socket of open) socket.destroy()
    await new Promise(resolve => front.close(resolve))
  }
  return { port: (front.address() as AddressInfo).port, stop }
}
