import { readFileSync } from 'node:fs'
import { type Command, Option } from 'commander'
import { composePull, isPublicKey, type PullReport } from '../compose/feeds-pull.ts'
import { type FeedName, feedNames } from '../domain/feed.ts'
import { feedPullResource } from '../resources/feed-pull.ts'
import { CommandError, UsageError } from './errors.ts'
import { feedTable } from './feeds-table.ts'
import { print } from './print.ts'
import { showProgress } from './progress.ts'

interface Flags {
  readonly url: string
  readonly key?: string
  readonly into: string
  readonly format: 'ndjson' | 'parquet'
  readonly publicKey?: string
  readonly full?: boolean
  readonly json?: boolean
}

/** Exit code if data differs from its manifest. A separate code, because repeating the pull does not help. */
const mismatchCode = 3

/** `periplus feeds pull [FEED]` */
export function addFeedsPullCommand(feeds: Command): void {
  feeds
    .command('pull')
    .description(
      'Pulls feeds of a service into a folder and keeps them up to date. Without FEED: all feeds that the key may use.',
    )
    .argument('[feed]', feedNames.join(' | '))
    .requiredOption('--url <url>', 'address of the service')
    .option('--key <key>', 'API key; prefer PERIPLUS_KEY, which other users of the machine cannot see')
    .requiredOption('--into <dir>', 'folder of the results: <feed>.ndjson and <feed>.state.json')
    .addOption(
      new Option(
        '--format <name>',
        'ndjson: all records, kept up to date by deltas; parquet: the tables of the newest full snapshots, in <feed>.parquet/',
      )
        .choices(['ndjson', 'parquet'])
        .default('ndjson'),
    )
    .option('--public-key <file>', 'public key of the service (PEM), instead of the key stored by the first pull')
    .option('--full', 'start with a full snapshot even if deltas would suffice')
    .option('--json', 'print one JSON object to standard output')
    .action(async (feed: string | undefined, flags: Flags) => {
      const report = await pull(feedIn(feed), flags)
      print(flags.json, feedPullResource(report), () => reportText(report))
      if (report.failed.length > 0) throw failureOf(report)
    })
}

async function pull(feed: FeedName | undefined, flags: Flags): Promise<PullReport> {
  const { into } = flags
  const [url, key] = [urlIn(flags.url), keyIn(flags.key)]
  const publicKey = flags.publicKey === undefined ? undefined : pemIn(flags.publicKey)
  const outcome = await composePull({
    url,
    key,
    into,
    full: flags.full === true,
    format: flags.format,
    ...(feed && { feed }),
    ...(publicKey !== undefined && { publicKey }),
    say: message => process.stderr.write(`${message}\n`),
    progress: showProgress,
  })
  if ('failure' in outcome) throw new CommandError(outcome.failure, outcome.mismatch ? mismatchCode : 1)
  return outcome
}

function feedIn(text: string | undefined): FeedName | undefined {
  const feed = feedNames.find(name => name === text)
  if (text !== undefined && !feed)
    throw new UsageError(
      `The feed "${text}" does not exist. Specify one of ${feedNames.join(', ')}, or omit it to pull all feeds.`,
    )
  return feed
}

function urlIn(text: string): URL {
  const url = URL.parse(text)
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url
  throw new UsageError(`--url "${text}" must be an http or https address such as https://places.example.com.`)
}

function keyIn(flag: string | undefined): string {
  const key = (flag ?? process.env.PERIPLUS_KEY ?? '').trim()
  // A key is sent in a header, so it has visible ASCII characters only.
  if (/^[\x21-\x7e]+$/.test(key)) return key
  throw new UsageError(
    key === '' ? 'Specify the API key in PERIPLUS_KEY or with --key.' : 'The API key contains invalid characters.',
  )
}

function pemIn(file: string): string {
  let pem: string
  try {
    pem = readFileSync(file, 'utf8')
  } catch (error) {
    throw new UsageError(`--public-key ${file} cannot be read: ${(error as Error).message}`)
  }
  if (isPublicKey(pem)) return pem
  throw new UsageError(
    `--public-key ${file} does not contain an Ed25519 public key in PEM format ("BEGIN PUBLIC KEY").`,
  )
}

const reportText = ({ pulled }: PullReport): string => (pulled.length === 0 ? 'Nothing was pulled.' : feedTable(pulled))

function failureOf({ failed }: PullReport): CommandError {
  const messages = failed.map(({ feed, message }) => `${feed}: ${message}`)
  return new CommandError(messages.join('\n'), failed.some(({ mismatch }) => mismatch) ? mismatchCode : 1)
}
