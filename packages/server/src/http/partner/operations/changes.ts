import { isFault } from '../../../domain/fault.ts'
import { type ChangeStores, listChanges } from '../../../usecases/partner/list-changes.ts'
import { presentChange } from '../../../versions/primitives/changes.ts'
import { formatCursor } from '../../../versions/primitives/single-params.ts'
import { bindParts, type HandlerTable } from '../call.ts'
import { render } from '../render.ts'

/** A list that grows must not come from the cache of a client without being revalidated. */
const revalidated = { 'Cache-Control': 'private, no-cache' }

const handlers: HandlerTable<ChangeStores, 'listChanges'> = {
  listChanges: async (stores, { version, scope, query }) => {
    const args = version.read.listChanges(query)
    if (isFault(args)) return args
    const found = await listChanges(stores, scope, args)
    if (isFault(found)) return found
    const { changes, through, hasMore } = found
    const body = { data: changes.map(presentChange), cursor: formatCursor(through), has_more: hasMore }
    return { rendered: render(body), entities: changes.length, headers: revalidated }
  },
}

/** Creates the handler of the list of changes. */
export const createChangeOperations = (stores: ChangeStores) => bindParts(stores, handlers)
