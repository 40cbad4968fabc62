import { LRUCache } from 'lru-cache'
import { projectJson } from '../../kit/project-json.ts'
import type { FieldMask } from '../../versions/primitives/field-mask.ts'
import { RenderedBody } from '../wire/rendered.ts'
import { discardBody } from '../wire/slabs.ts'

/** Masked bodies by the validator of the whole body and the mask: what they contain never changes. */
const cache = new LRUCache<string, RenderedBody>({
  max: 10_000,
  maxSize: 8 * 1024 * 1024,
  sizeCalculation: ({ body }, name) => body.length + name.length,
})

/** Returns a body with the members of a mask only. A composed body (slabs.ts) must not be used any more. */
export function maskBody(whole: RenderedBody, { key, projection }: FieldMask): RenderedBody {
  const name = `${whole.etag} ${key}`
  const known = cache.get(name)
  const masked = known ?? new RenderedBody(projectJson(whole.body, projection))
  if (known === undefined) cache.set(name, masked)
  discardBody(whole.body)
  return masked
}
