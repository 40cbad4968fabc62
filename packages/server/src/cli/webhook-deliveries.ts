import { type Command, InvalidArgumentError, Option } from 'commander'
import { parseOrder, timeOrders } from '../domain/list-order.ts'
import type { DeliveryState } from '../domain/webhook.ts'
import { deliveryListResource, deliveryResource, eventListResource } from '../resources/webhook.ts'
import { listDeliveries } from '../usecases/admin/list-deliveries.ts'
import { listEvents } from '../usecases/admin/list-events.ts'
import { redeliver } from '../usecases/admin/redeliver.ts'
import { type ActorFlag, cliActor, withActorFlag } from './actor.ts'
import { unwrapOrThrow } from './fault-text.ts'
import { limitOption } from './limit-option.ts'
import { type CommonFlags, withCommonFlags } from './options.ts'
import { print, textTable } from './print.ts'
import { type SortFlag, sortOption } from './sort-option.ts'
import { withWebhooks } from './with-webhooks.ts'

interface PageFlags extends CommonFlags, SortFlag {
  readonly limit: number
  readonly after?: number
}

/** Adds `deliveries`, `redeliver` and `events`. */
export function addDeliveryCommands(webhooks: Command): void {
  addDeliveries(webhooks)
  addRedeliver(webhooks)
  addEvents(webhooks)
}

function addDeliveries(webhooks: Command): void {
  withPageFlags(webhooks.command('deliveries'))
    .description('Lists deliveries, newest first by default.')
    .argument('[webhook]', 'id of a webhook (default: all)')
    .addOption(new Option('--state <state>', 'only this state').choices(['pending', 'delivered', 'failed']))
    .action((endpointId: string | undefined, flags: PageFlags & { readonly state?: DeliveryState }) =>
      withWebhooks(flags, async stores => {
        const query = {
          ...pageOf(flags),
          ...(endpointId !== undefined && { endpointId }),
          ...(flags.state && { state: flags.state }),
        }
        const list = deliveryListResource(unwrapOrThrow(await listDeliveries(stores, cliActor(), query)))
        const rows = list.data.map(({ id, event, state, attempts }) => {
          const last = attempts.at(-1)
          return [id, event.timestamp, event.type, state, attempts.length, last?.status ?? last?.error]
        })
        print(flags.json, list, () => textTable(['id', 'event at', 'type', 'state', 'attempts', 'last answer'], rows))
      }),
    )
}

function addRedeliver(webhooks: Command): void {
  withActorFlag(withCommonFlags(webhooks.command('redeliver')))
    .description('Sends the event of a delivery again, with the same id. A running service sends it.')
    .argument('<delivery>', 'id of the delivery')
    .action((id: string, flags: CommonFlags & ActorFlag) =>
      withWebhooks(flags, async stores => {
        const delivery = deliveryResource(unwrapOrThrow(await redeliver(stores, cliActor(flags.actor), { id })))
        print(flags.json, delivery, () => `Delivery ${id} is queued again; a running service sends it now.`)
      }),
    )
}

function addEvents(webhooks: Command): void {
  withPageFlags(webhooks.command('events'))
    .description('Lists the events of the last 30 days, newest first by default.')
    .option('--type <type...>', 'only these types')
    .action((flags: PageFlags & { readonly type?: readonly string[] }) =>
      withWebhooks(flags, async stores => {
        const query = { ...pageOf(flags), ...(flags.type && { types: flags.type }) }
        const list = eventListResource(unwrapOrThrow(await listEvents(stores, cliActor(), query)))
        const rows = list.data.map(event => [event.timestamp, event.type, event.partner_id, JSON.stringify(event.data)])
        print(flags.json, list, () => textTable(['at', 'type', 'partner', 'data'], rows))
      }),
    )
}

const withPageFlags = (command: Command): Command =>
  withCommonFlags(command)
    .addOption(limitOption())
    .addOption(sortOption(timeOrders))
    .addOption(
      new Option('--after <cursor>', 'continues after an earlier list: the value of its member `next`').argParser(
        cursorOf,
      ),
    )

const pageOf = ({ limit, after, sort }: PageFlags) => ({
  limit,
  order: parseOrder(sort, timeOrders),
  ...(after !== undefined && { after }),
})

function cursorOf(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('Must be the value of `next` in an earlier list.')
  return Number(text)
}
