import { type Command, Option } from 'commander'
import {
  type WebhookResource,
  webhookListResource,
  webhookResource,
  webhookSecretResource,
  webhookTestResource,
} from '../resources/webhook.ts'
import { addEndpoint } from '../usecases/admin/add-endpoint.ts'
import { changeEndpoint } from '../usecases/admin/change-endpoint.ts'
import { findEndpoint } from '../usecases/admin/find-endpoint.ts'
import { listEndpoints } from '../usecases/admin/list-endpoints.ts'
import { removeEndpoint } from '../usecases/admin/remove-endpoint.ts'
import { rotateEndpointSecret } from '../usecases/admin/rotate-endpoint-secret.ts'
import { testEndpoint } from '../usecases/admin/test-endpoint.ts'
import type { WebhookStores } from '../usecases/admin/webhook-stores.ts'
import { type ActorFlag, cliActor, withActorFlag } from './actor.ts'
import { CommandError } from './errors.ts'
import { unwrapOrThrow } from './fault-text.ts'
import { type CommonFlags, withCommonFlags } from './options.ts'
import { print, textPairs, textTable } from './print.ts'
import { type RevisionFlag, revisionOption } from './revision.ts'
import { addDeliveryCommands } from './webhook-deliveries.ts'
import { withWebhooks } from './with-webhooks.ts'

/** `periplus webhooks add|list|show|set|rotate|test|remove|deliveries|redeliver|events` */
export function addWebhooksCommand(program: Command): void {
  const webhooks = program.command('webhooks').description('Manages webhooks: addresses to which events are sent.')
  addAdd(webhooks)
  addList(webhooks)
  addShow(webhooks)
  addSet(webhooks)
  addRotate(webhooks)
  addTest(webhooks)
  addRemove(webhooks)
  addDeliveryCommands(webhooks)
}

interface AddFlags extends CommonFlags, ActorFlag {
  readonly type?: readonly string[]
  readonly partner?: string
  readonly key?: string
}

/** Accepts types in several flags, in one flag, or separated by commas. */
const typeOption = () => new Option('--type <type...>', 'type of events, such as key.rotated; may be repeated')
const splitTypes = (types: readonly string[]): string[] =>
  types.flatMap(text => text.split(',').map(type => type.trim())).filter(type => type !== '')

function addAdd(webhooks: Command): void {
  withActorFlag(withCommonFlags(webhooks.command('add')))
    .description('Adds a webhook and prints its secret.')
    .argument('<url>', 'URL of the receiver')
    .addOption(typeOption())
    .option('--partner <id>', "partner whose events to send (default: the operator's webhook, with all events)")
    .option('--key <id>', 'key whose events to send; changed places are those in its scope')
    .action((url: string, { type = [], partner, key, ...flags }: AddFlags) =>
      withWebhooks(flags, async stores => {
        const input = { url, types: splitTypes(type), partnerId: partner, keyId: key }
        const made = webhookSecretResource(unwrapOrThrow(await addEndpoint(stores, cliActor(flags.actor), input)))
        print(flags.json, made, () => `${webhookText(made)}\n${textPairs([['secret', made.secret]])}\n\n${keepSecret}`)
      }),
    )
}

const keepSecret = 'Store the secret now; it is not shown again. Receivers verify the signature of each event with it.'

function addList(webhooks: Command): void {
  withCommonFlags(webhooks.command('list'))
    .description('Lists webhooks.')
    .option('--partner <id>', 'only the webhooks of this partner')
    .action(({ partner, ...flags }: CommonFlags & { readonly partner?: string }) =>
      withWebhooks(flags, async stores => {
        const found = unwrapOrThrow(await listEndpoints(stores, cliActor(), { partnerId: partner }))
        const list = webhookListResource(found)
        print(flags.json, list, () =>
          textTable(
            ['id', 'partner', 'url', 'state', 'types'],
            list.webhooks.map(w => [w.id, w.partner_id, w.url, w.state, w.types.join(', ')]),
          ),
        )
      }),
    )
}

function addShow(webhooks: Command): void {
  withCommonFlags(webhooks.command('show'))
    .description('Shows one webhook.')
    .argument('<id>', 'id of the webhook')
    .action((id: string, flags: CommonFlags) =>
      withWebhooks(flags, async stores => {
        const webhook = webhookResource(unwrapOrThrow(await findEndpoint(stores, cliActor(), id)))
        print(flags.json, webhook, () => webhookText(webhook))
      }),
    )
}

interface SetFlags extends CommonFlags, ActorFlag, RevisionFlag {
  readonly url?: string
  readonly type?: readonly string[]
  readonly state?: 'active' | 'paused'
}

function addSet(webhooks: Command): void {
  withActorFlag(withCommonFlags(webhooks.command('set')))
    .description('Changes, pauses or activates a webhook.')
    .argument('<id>', 'id of the webhook')
    .option('--url <url>', 'URL of the receiver')
    .addOption(typeOption())
    .addOption(new Option('--state <state>', 'state of the webhook').choices(['active', 'paused']))
    .addOption(revisionOption())
    .action((id: string, { url, type, state, ...flags }: SetFlags) =>
      withWebhooks(flags, async stores => {
        const change = {
          ...(url !== undefined && { url }),
          ...(type && { types: splitTypes(type) }),
          ...(state && { state }),
        }
        const update = { id, expectedRevision: await revisionOf(stores, id, flags), change }
        const webhook = webhookResource(unwrapOrThrow(await changeEndpoint(stores, cliActor(flags.actor), update)))
        print(flags.json, webhook, () => webhookText(webhook))
      }),
    )
}

function addRotate(webhooks: Command): void {
  withActorFlag(withCommonFlags(webhooks.command('rotate')))
    .description('Gives a webhook another secret; the previous one signs as well for 24 hours.')
    .argument('<id>', 'id of the webhook')
    .addOption(revisionOption())
    .action((id: string, flags: CommonFlags & ActorFlag & RevisionFlag) =>
      withWebhooks(flags, async stores => {
        const update = { id, expectedRevision: await revisionOf(stores, id, flags) }
        const made = webhookSecretResource(
          unwrapOrThrow(await rotateEndpointSecret(stores, cliActor(flags.actor), update)),
        )
        print(flags.json, made, () => `${made.secret}\n\n${keepSecret}`)
      }),
    )
}

function addTest(webhooks: Command): void {
  withCommonFlags(webhooks.command('test'))
    .description('Sends a test event to a webhook and shows the answer.')
    .argument('<id>', 'id of the webhook')
    .action((id: string, flags: CommonFlags) =>
      withWebhooks(flags, async stores => {
        const tested = webhookTestResource(unwrapOrThrow(await testEndpoint(stores, cliActor(), { id })))
        const { status, error, duration_ms } = tested.attempt
        const answer = status === undefined ? `no answer (${error})` : `status ${status}`
        print(flags.json, tested, () => `The receiver gave ${answer} after ${duration_ms} ms.`)
        if (!tested.delivered)
          throw new CommandError(
            `The test event was not accepted: ${answer}. A receiver must answer with a 2xx status.`,
          )
      }),
    )
}

function addRemove(webhooks: Command): void {
  withActorFlag(withCommonFlags(webhooks.command('remove')))
    .description('Removes a webhook and its deliveries.')
    .argument('<id>', 'id of the webhook')
    .addOption(revisionOption())
    .action((id: string, flags: CommonFlags & ActorFlag & RevisionFlag) =>
      withWebhooks(flags, async stores => {
        const update = { id, expectedRevision: await revisionOf(stores, id, flags) }
        const webhook = webhookResource(unwrapOrThrow(await removeEndpoint(stores, cliActor(flags.actor), update)))
        print(flags.json, webhook, () => `Removed webhook ${webhook.id}.`)
      }),
    )
}

async function revisionOf(stores: WebhookStores, id: string, { ifRevision }: RevisionFlag): Promise<number> {
  return ifRevision ?? unwrapOrThrow(await findEndpoint(stores, cliActor(), id)).revision
}

const webhookText = (w: WebhookResource): string =>
  textPairs([
    ['id', w.id],
    ['partner', w.partner_id],
    ['key', w.key_id],
    ['url', w.url],
    ['types', w.types.join(', ')],
    ['state', w.disabled_reason === undefined ? w.state : `${w.state} (${w.disabled_reason})`],
    ['failing since', w.failing_since],
    ['created', w.created_at],
  ])
