import { isFault } from '../../../domain/fault.ts'
import { listPhotos, type PhotoStores } from '../../../usecases/partner/list-photos.ts'
import { presentPhoto } from '../../../versions/primitives/photos.ts'
import { bindParts, type HandlerTable } from '../call.ts'
import { render } from '../render.ts'
import { toPagination } from './pagination.ts'

const handlers: HandlerTable<PhotoStores, 'listPhotos'> = {
  listPhotos: async (stores, { version, scope, params, query }) => {
    const id = version.read.pathId(params.id!)
    if (isFault(id)) return id
    const args = version.read.listPhotos(query)
    if (isFault(args)) return args
    const found = await listPhotos(stores, scope, id, args)
    if (isFault(found)) return found
    const data = found.photos.map(presentPhoto)
    return { rendered: render({ data, pagination: toPagination(args, found.total) }), entities: data.length }
  },
}

/** Creates the handler of the list of photos. */
export const createPhotoOperations = (stores: PhotoStores) => bindParts(stores, handlers)
