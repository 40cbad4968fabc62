import { isAdminFault } from '../../domain/admin-fault.ts'
import { Type } from '../../kit/json-schema.ts'
import { closedObject, enteredText } from '../../resources/schema.ts'
import {
  webhookResource,
  webhookSchema,
  webhookSecretResource,
  webhookSecretSchema,
  webhookTestResource,
  webhookTestSchema,
} from '../../resources/webhook.ts'
import { addEndpoint } from '../../usecases/admin/add-endpoint.ts'
import { changeEndpoint } from '../../usecases/admin/change-endpoint.ts'
import { findEndpoint } from '../../usecases/admin/find-endpoint.ts'
import { listEndpoints } from '../../usecases/admin/list-endpoints.ts'
import { removeEndpoint } from '../../usecases/admin/remove-endpoint.ts'
import { rotateEndpointSecret } from '../../usecases/admin/rotate-endpoint-secret.ts'
import { testEndpoint } from '../../usecases/admin/test-endpoint.ts'
import { pageOf, pageQuery, toPage } from '../page.ts'
import { apiRoute } from '../route.ts'

const url = enteredText('url', 'URL of the receiver, which must use https.')
const types = Type.Array(Type.String(), { description: 'Types of events, such as key.rotated.' })
/** All routes for webhooks have one permission; a token of one partner sees the webhooks of that partner. */
const common = { permission: 'webhooks:write', forPartners: true } as const

/** `/webhooks` of the admin API. */
export const webhookRoutes = [
  apiRoute({
    ...common,
    method: 'GET',
    path: '/webhooks',
    operation: 'listWebhooks',
    summary: 'Lists webhooks, oldest first.',
    query: closedObject({ ...pageQuery, partner_id: Type.Optional(Type.String()) }),
    response: pageOf(webhookSchema),
    handler: async ({ webhooks }, { actor, query }) => {
      const found = await listEndpoints(webhooks, actor, { partnerId: query.partner_id })
      if (isAdminFault(found)) return found
      const { data, next } = toPage(found, ({ createdMs, id }) => `${createdMs} ${id}`, query)
      return { body: { data: data.map(webhookResource), next } }
    },
  }),
  apiRoute({
    ...common,
    method: 'POST',
    path: '/webhooks',
    operation: 'addWebhook',
    summary: "Adds a webhook and returns its secret once. Without partner_id and key_id it is the operator's own.",
    body: closedObject({
      url,
      types,
      partner_id: Type.Optional(Type.String({ description: 'Partner whose events are sent.' })),
      key_id: Type.Optional(
        Type.String({ description: 'Key whose events are sent; changed places are those in its scope.' }),
      ),
    }),
    status: 201,
    response: webhookSecretSchema,
    handler: async ({ webhooks }, { actor, body }) => {
      const input = { url: body.url, types: body.types, partnerId: body.partner_id, keyId: body.key_id }
      const made = await addEndpoint(webhooks, actor, input)
      if (isAdminFault(made)) return made
      const { id, revision } = made.endpoint
      return { body: webhookSecretResource(made), revision, location: `/webhooks/${id}` }
    },
  }),
  apiRoute({
    ...common,
    method: 'GET',
    path: '/webhooks/:id',
    operation: 'getWebhook',
    summary: 'Returns a webhook.',
    response: webhookSchema,
    handler: async ({ webhooks }, { actor, params }) => {
      const found = await findEndpoint(webhooks, actor, params.id!)
      return isAdminFault(found) ? found : { body: webhookResource(found), revision: found.revision }
    },
  }),
  apiRoute({
    ...common,
    method: 'PATCH',
    path: '/webhooks/:id',
    operation: 'changeWebhook',
    summary: 'Changes URL or types of a webhook, pauses it, or activates it.',
    body: closedObject({
      url: Type.Optional(url),
      types: Type.Optional(types),
      state: Type.Optional(Type.Enum(['active', 'paused'])),
    }),
    response: webhookSchema,
    handler: async ({ webhooks }, { actor, params, expectedRevision, body: change }) => {
      const changed = await changeEndpoint(webhooks, actor, { id: params.id!, expectedRevision, change })
      return isAdminFault(changed) ? changed : { body: webhookResource(changed), revision: changed.revision }
    },
  }),
  apiRoute({
    ...common,
    method: 'DELETE',
    path: '/webhooks/:id',
    operation: 'removeWebhook',
    summary: 'Removes a webhook and its deliveries.',
    handler: async ({ webhooks }, { actor, params, expectedRevision }) => {
      const removed = await removeEndpoint(webhooks, actor, { id: params.id!, expectedRevision })
      return isAdminFault(removed) ? removed : { body: {} }
    },
  }),
  apiRoute({
    ...common,
    method: 'POST',
    path: '/webhooks/:id/secret',
    operation: 'rotateWebhookSecret',
    summary: 'Gives a webhook another secret and returns it once; the previous one signs as well for 24 hours.',
    ifMatch: true,
    response: webhookSecretSchema,
    handler: async ({ webhooks }, { actor, params, expectedRevision }) => {
      const made = await rotateEndpointSecret(webhooks, actor, { id: params.id!, expectedRevision })
      return isAdminFault(made) ? made : { body: webhookSecretResource(made), revision: made.endpoint.revision }
    },
  }),
  apiRoute({
    ...common,
    method: 'POST',
    path: '/webhooks/:id/test',
    operation: 'testWebhook',
    summary: 'Sends a signed test event to a webhook, once, and returns the answer.',
    response: webhookTestSchema,
    handler: async ({ webhooks }, { actor, params }) => {
      const tested = await testEndpoint(webhooks, actor, { id: params.id! })
      return isAdminFault(tested) ? tested : { body: webhookTestResource(tested) }
    },
  }),
]
