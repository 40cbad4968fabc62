import type { AddressInfo } from 'node:net'
import { isIPv6 } from 'node:net'
import { join } from 'node:path'
import { authenticator } from './access/authenticate.ts'
import { createSecret, digestOf } from './access/key-format.ts'
import { unlimited } from './access/limiter.ts'
import type { Config } from './config/load.ts'
import type { SecretMint } from './domain/key.ts'
import type { DataWriter, KeyAdmin } from './domain/stores.ts'
import { createOutbox } from './http/outbox.ts'
import { LocationRenderer } from './http/render.ts'
import { createServer } from './http/server.ts'
import type { HttpSettings, Service } from './http/service.ts'
import { type Clock, systemClock } from './kit/clock.ts'
import { createLog } from './kit/log.ts'
import { cachedLocations } from './store/location-cache.ts'
import { sqliteChangeLog } from './store/sqlite/change-log.ts'
import { followChanges } from './store/sqlite/follow-changes.ts'
import { sqliteKeys } from './store/sqlite/keys.ts'
import { type Layout, layoutOf } from './store/sqlite/layout.ts'
import { sqliteLocations } from './store/sqlite/locations.ts'
import { holdLock } from './store/sqlite/lock.ts'
import { controlMigrations } from './store/sqlite/migrations/control.ts'
import { dataMigrations } from './store/sqlite/migrations/data.ts'
import { copyOf, openSqlite } from './store/sqlite/open.ts'
import { pepperOf } from './store/sqlite/pepper.ts'
import { sqliteReviews } from './store/sqlite/reviews.ts'
import { watchCommits } from './store/sqlite/watch.ts'
import { sqliteWriter } from './store/sqlite/writer.ts'

/** How often another process's commits are looked for, milliseconds (ARCHITECTURE.md). */
const watchEveryMs = 250

const openControl = (layout: Layout) => openSqlite(layout.control, controlMigrations, { synchronous: 'FULL' })
const openData = (layout: Layout, how: { cacheMb: number; mapped: boolean }) =>
  openSqlite(layout.data, dataMigrations, { synchronous: 'NORMAL', ...how })

/** What the operator's commands on partners and keys work with. */
export interface Admin {
  readonly keys: KeyAdmin
  readonly mint: SecretMint
  readonly clock: Clock
  close(): void
}

/** Partners and keys of a data folder, which is made when it is not there. */
export function composeAdmin(config: Config): Admin {
  const layout = layoutOf(config.data, { create: true })
  const pepper = pepperOf(layout.pepper)
  const control = openControl(layout)
  return {
    keys: sqliteKeys(control),
    mint: { create: createSecret, digest: secret => digestOf(secret, pepper) },
    clock: systemClock,
    close: () => control.close(),
  }
}

/** What an import works with; `close` ends it, and undoes everything when it was a dry run. */
export interface Importing {
  readonly writer: DataWriter
  readonly clock: Clock
  /** Where rejected rows go when no file was named. */
  readonly rejectsFolder: string
  close(): void
}

/**
 * The stores for an import; a second one on the same folder is refused. A dry run works on a private copy of the ids
 * and in a transaction on the data that is rolled back, so that it holds up nobody who serves, bills or makes keys.
 */
export function composeImport(config: Config, options: { dryRun: boolean }): Importing {
  const layout = layoutOf(config.data, { create: true })
  const lock = holdLock(layout.importLock, `Another import is running on ${config.data}; wait until it has ended.`)
  const ids = openControl(layout)
  const control = options.dryRun ? copyOf(ids) : ids
  const data = openData(layout, { cacheMb: 128, mapped: false })
  if (options.dryRun) data.exec('BEGIN IMMEDIATE')
  const writer = sqliteWriter(control, data, systemClock)
  return {
    writer,
    clock: systemClock,
    rejectsFolder: join(layout.root, 'rejects'),
    close: () => {
      if (options.dryRun) data.exec('ROLLBACK')
      writer.close()
      lock.release()
    },
  }
}

/** A service that is ready to listen. */
export interface Running {
  /** Listens; gives the address under which partners reach it. */
  listen(): Promise<string>
  /** Takes no more connections, lets open requests end, closes everything. */
  drain(): Promise<void>
}

/** The whole service on a data folder, which is made when it is not there. One at a time may serve a folder. */
export function composeServer(config: Config, options: { demo: boolean }): Running {
  const layout = layoutOf(config.data, { create: true })
  const lock = holdLock(
    layout.serveLock,
    `Another Periplus serves ${config.data}; stop it first, or name another folder with --data DIR.`,
  )
  const { log, line, flush } = createLog(config.server.logLevel)
  const control = openControl(layout)
  const data = openData(layout, { cacheMb: 16, mapped: true })

  const locations = cachedLocations(sqliteLocations(data), config.cache.locations)
  const keyAuthenticator = authenticator(sqliteKeys(control), pepperOf(layout.pepper))
  const watches = [
    watchCommits(control, watchEveryMs, () => keyAuthenticator.forget()),
    watchCommits(data, watchEveryMs, followChanges(sqliteChangeLog(data), locations)),
  ]

  const address = { publicUrl: '' }
  const settings = httpSettings(config, options.demo, address)
  const service: Service = {
    locations,
    reviews: sqliteReviews(data),
    authenticator: keyAuthenticator,
    offer: config,
    limiter: unlimited,
    renderer: new LocationRenderer(settings),
    outbox: createOutbox(),
    clock: systemClock,
    log,
    accessLog: line,
    settings,
  }
  const state = { draining: false }
  const app = createServer(service, { reasons: () => (state.draining ? ['shutting down'] : []) })

  return {
    listen: async () => {
      const { host, port } = config.server
      await app.listen({ host, port })
      address.publicUrl = (
        config.server.publicUrl ?? listeningUrl(app.server.address() as AddressInfo) + settings.basePath
      ).replace(/\/+$/, '')
      return address.publicUrl
    },
    drain: async () => {
      state.draining = true
      const timeout = setTimeout(() => app.server.closeAllConnections(), config.server.drainMs)
      await app.close()
      clearTimeout(timeout)
      for (const watch of watches) watch.stop()
      data.close()
      control.close()
      flush()
      lock.release()
    },
  }
}

function httpSettings(config: Config, demo: boolean, address: { readonly publicUrl: string }): HttpSettings {
  return {
    get publicUrl() {
      return address.publicUrl
    },
    basePath: config.server.basePath.replace(/\/+$/, ''),
    keysInQuery: config.keys.inQuery,
    corsOrigins: config.cors.origins,
    maxAgeSeconds: config.cache.maxAgeSeconds,
    demo,
  }
}

const listeningUrl = ({ address, port }: AddressInfo): string =>
  `http://${isIPv6(address) ? `[${address}]` : address}:${port}`
