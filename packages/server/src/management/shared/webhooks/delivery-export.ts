import { isAdminFault } from '../../../domain/admin-fault.ts'
import type { DeliveryQuery } from '../../../domain/event-store.ts'
import { deliveryResource } from '../../../resources/webhook.ts'
import { listDeliveries } from '../../../usecases/admin/list-deliveries.ts'
import type { ManagementContext } from '../../context.ts'
import type { PageAnswer, PageRequest } from '../../pages/page-route.ts'
import { collectRows, exportRows } from '../export.ts'

const deliveriesPerRead = 200

/** Returns the deliveries to a webhook as a file. */
export async function exportDeliveries(
  webhooks: ManagementContext['webhooks'],
  { actor }: PageRequest,
  selected: Omit<DeliveryQuery, 'visibility' | 'limit' | 'after'>,
  format: 'csv' | 'json',
): Promise<PageAnswer> {
  const found = await collectRows<number>(async after => {
    const page = await listDeliveries(webhooks, actor, {
      ...selected,
      limit: deliveriesPerRead,
      ...(after !== undefined && { after }),
    })
    return isAdminFault(page) ? page : { rows: page.rows.map(deliveryResource), next: page.next }
  })
  return isAdminFault(found) ? found : exportRows('deliveries', format, found.rows, found.isCut)
}
