import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { composePull } from '../compose/feeds-pull.ts'
import { type FeedName, feedNames } from '../domain/feed.ts'
import { LockHeld } from '../domain/store-errors.ts'
import { Mismatch, PullFailed } from '../feeds/pull/outcome.ts'
import { diskFailure, type PullReport } from '../feeds/pull/pull.ts'
import { publicKeyIn } from '../feeds/pull/signing-key.ts'
import { Failed, WrongUse } from './outcome.ts'
import { print, textTable } from './print.ts'
import { showProgress } from './progress.ts'

interface Flags {
  readonly url: string
  readonly key?: string
  readonly into: string
  readonly publicKey?: string
  readonly full?: boolean
  readonly json?: boolean
}

/** What arrived is not what the manifest says (issue E): a number of its own, as nobody should just try again. */
const mismatchCode = 3

/** `periplus feeds pull [FEED]` */
export function addFeedsPullCommand(feeds: Command): void {
  feeds
    .command('pull')
    .description(
      'bring feeds of a service to a folder, and keep them up to date; all that the key may take without FEED',
    )
    .argument('[feed]', feedNames.join(' | '))
    .requiredOption('--url <url>', 'where the service is')
    .option('--key <key>', 'API key; better in PERIPLUS_KEY, which other users of the machine do not see')
    .requiredOption('--into <dir>', 'folder of the results: <feed>.ndjson and <feed>.state.json')
    .option('--public-key <file>', 'the key of the service (PEM), in place of the one that it named first')
    .option('--full', 'begin with a full snapshot even where deltas would do')
    .option('--json', 'one JSON object on standard output')
    .action(async (feed: string | undefined, flags: Flags) => {
      const report = await pull(feedIn(feed), flags)
      print(flags.json, report, () => humanReport(report))
      if (report.failed.length > 0) throw failureOf(report)
    })
}

async function pull(feed: FeedName | undefined, flags: Flags): Promise<PullReport> {
  const { into } = flags
  const [url, key] = [urlIn(flags.url), keyIn(flags.key)]
  const publicKey = flags.publicKey === undefined ? undefined : pemIn(flags.publicKey)
  try {
    return await composePull({
      url,
      key,
      into,
      full: flags.full === true,
      ...(feed && { feed }),
      ...(publicKey !== undefined && { publicKey }),
      say: sentence => process.stderr.write(`${sentence}\n`),
      progress: showProgress,
    })
  } catch (error) {
    if (error instanceof Mismatch) throw new Failed(error.message, mismatchCode)
    if (error instanceof LockHeld || error instanceof PullFailed) throw new Failed(error.message)
    throw new Failed(diskFailure(error, into))
  }
}

function feedIn(text: string | undefined): FeedName | undefined {
  const feed = feedNames.find(name => name === text)
  if (text !== undefined && !feed)
    throw new WrongUse(`There is no feed "${text}"; name one of ${feedNames.join(', ')}, or none for all.`)
  return feed
}

function urlIn(text: string): URL {
  const url = URL.parse(text)
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url
  throw new WrongUse(`--url "${text}" is no address; give one such as https://places.example.com.`)
}

function keyIn(flag: string | undefined): string {
  const key = (flag ?? process.env.PERIPLUS_KEY ?? '').trim()
  // What a header cannot carry is no key either.
  if (/^[\x21-\x7e]+$/.test(key)) return key
  throw new WrongUse(
    key === '' ? 'Give the API key in PERIPLUS_KEY or with --key.' : 'The API key has characters that no key has.',
  )
}

function pemIn(file: string): string {
  let pem: string
  try {
    pem = readFileSync(file, 'utf8')
  } catch (error) {
    throw new WrongUse(`--public-key ${file} cannot be read: ${(error as Error).message}`)
  }
  if (publicKeyIn(pem)) return pem
  throw new WrongUse(`--public-key ${file} is no Ed25519 public key in PEM ("BEGIN PUBLIC KEY").`)
}

function humanReport({ pulled }: PullReport): string {
  if (pulled.length === 0) return 'Nothing was pulled.'
  return textTable(
    ['feed', 'version', 'snapshot', 'taken', 'records', 'upserts', 'tombstones', 'MB', 'seconds'],
    pulled.map(one => [
      ...[one.feed, one.version, one.snapshot_id, one.kind, one.records, one.upserts, one.tombstones],
      ...[Math.round(one.bytes / 1e5) / 10, Math.round(one.seconds * 10) / 10],
    ]),
  )
}

function failureOf({ failed }: PullReport): Failed {
  const sentences = failed.map(({ feed, message }) => `${feed}: ${message}`)
  return new Failed(sentences.join('\n'), failed.some(({ mismatch }) => mismatch) ? mismatchCode : 1)
}
