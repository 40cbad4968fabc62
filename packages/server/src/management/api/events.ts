import { isAdminFault } from '../../domain/admin-fault.ts'
import { parseOrder, timeOrders } from '../../domain/list-order.ts'
import { Type } from '../../kit/json-schema.ts'
import { closedObject } from '../../resources/schema.ts'
import {
  deliveryListResource,
  deliveryListSchema,
  deliveryResource,
  deliverySchema,
  eventListResource,
  eventListSchema,
} from '../../resources/webhook.ts'
import { listDeliveries } from '../../usecases/admin/list-deliveries.ts'
import { listEvents } from '../../usecases/admin/list-events.ts'
import { redeliver } from '../../usecases/admin/redeliver.ts'
import { pageQuery, sortQuery } from '../page.ts'
import { apiRoute } from '../route.ts'

const page = {
  limit: pageQuery.limit,
  after: Type.Optional(Type.Integer({ minimum: 1, description: 'The member `next` of the previous page.' })),
  ...sortQuery(timeOrders),
}
const common = { permission: 'webhooks:write', forPartners: true } as const

/** `/events` and `/deliveries` of the admin API. */
export const eventRoutes = [
  apiRoute({
    ...common,
    method: 'GET',
    path: '/events',
    operation: 'listEvents',
    summary: 'Lists the events of the last 30 days, newest first by default.',
    query: closedObject({ ...page, type: Type.Optional(Type.String({ description: 'Only this type.' })) }),
    response: eventListSchema,
    handler: async ({ webhooks }, { actor, query: { type, sort, ...rest } }) => {
      const events = await listEvents(webhooks, actor, {
        ...rest,
        order: parseOrder(sort, timeOrders),
        ...(type !== undefined && { types: [type] }),
      })
      return isAdminFault(events) ? events : { body: eventListResource(events) }
    },
  }),
  apiRoute({
    ...common,
    method: 'GET',
    path: '/deliveries',
    operation: 'listDeliveries',
    summary: 'Lists deliveries with their attempts, newest first by default.',
    query: closedObject({
      ...page,
      webhook_id: Type.Optional(Type.String({ description: 'Only deliveries to this webhook.' })),
      state: Type.Optional(Type.Enum(['pending', 'delivered', 'failed'])),
    }),
    response: deliveryListSchema,
    handler: async ({ webhooks }, { actor, query: { webhook_id, sort, ...rest } }) => {
      const order = parseOrder(sort, timeOrders)
      const query = { ...rest, order, ...(webhook_id !== undefined && { endpointId: webhook_id }) }
      const found = await listDeliveries(webhooks, actor, query)
      return isAdminFault(found) ? found : { body: deliveryListResource(found) }
    },
  }),
  apiRoute({
    ...common,
    method: 'POST',
    path: '/deliveries/:id/redeliver',
    operation: 'redeliver',
    summary: 'Sends the event of a delivery again, with the same id.',
    response: deliverySchema,
    handler: async ({ webhooks }, { actor, params }) => {
      const delivery = await redeliver(webhooks, actor, { id: params.id! })
      return isAdminFault(delivery) ? delivery : { body: deliveryResource(delivery) }
    },
  }),
]
