import { isFault } from '../../../domain/fault.ts'
import type { Pictures } from '../../../domain/picture.ts'
import type { Clock } from '../../../kit/clock.ts'
import { listPhotos, type PhotoStores } from '../../../usecases/partner/list-photos.ts'
import { presentPhoto } from '../../../versions/primitives/photos.ts'
import { bindParts, type HandlerTable } from '../call.ts'
import { render } from '../render.ts'
import { describePage, readPosition } from './pagination.ts'

/** Dependencies of the list of photos. */
export interface PhotoParts extends PhotoStores {
  readonly clock: Clock
  /** The pictures that the service keeps; undefined if clients load them from their sources. */
  readonly pictures: Pictures | undefined
  readonly settings: { readonly publicUrl: string }
}

const handlers: HandlerTable<PhotoParts, 'listPhotos'> = {
  listPhotos: async (parts, call) => {
    const { version, scope, params, query } = call
    const id = version.read.pathId(params.id!)
    if (isFault(id)) return id
    const args = version.read.listPhotos(query)
    if (isFault(args)) return args
    const list = { operation: 'listPhotos', call, nowMs: parts.clock.nowMs() } as const
    const position = readPosition(list, args)
    if (isFault(position)) return position
    const found = await listPhotos(parts, scope, id, { ...args, position })
    if (isFault(found)) return found
    const { publicUrl } = parts.settings
    const picturesUrl = parts.pictures && `${publicUrl}/photos`
    const data = found.photos.map(photo => {
      const presented = presentPhoto(photo, { picturesUrl })
      return version.present.photo?.(presented, id) ?? presented
    })
    const { pagination, next } = describePage(list, args, found, publicUrl)
    return { rendered: render({ data, pagination }), entities: data.length, next }
  },
}

/** Creates the handler of the list of photos. */
export const createPhotoOperations = (parts: PhotoParts) => bindParts(parts, handlers)
