import { maxPhotos, type Photo } from '../domain/photo.ts'
import { compact, type FieldReader } from './field-reader.ts'

/** Maximum length of a URL that is kept. */
const maxUrlLength = 2000
/** Maximum of the width and the height of a photo, in pixels. */
const maxPixels = 100_000

/** Separators of URLs in one text; a URL may contain them, but not in front of another one. */
const betweenUrls = /[\s,;|]+(?=https?:)/i

/**
 * Reads `photos`: URLs, or objects with `url`. A photo that cannot be kept is dropped with a note, because a record is
 * worth more than its pictures. `photo_caption`, `photo_attribution` and `photo_license` apply to photos
 * without their own.
 */
export function readPhotos(fields: FieldReader, kind: keyof typeof maxPhotos): readonly Photo[] | undefined {
  const raw = fields.raw('photos')
  if (raw === undefined) return undefined
  if (typeof raw !== 'string' && !Array.isArray(raw)) {
    fields.note('photos_not_a_list')
    return undefined
  }
  const shared = {
    caption: fields.text('photo_caption'),
    attribution: fields.text('photo_attribution'),
    license: fields.text('photo_license'),
  }
  const photos = new Map<string, Photo>()
  const found = fields.objects('photos', item => readItem(item, shared), 'url')?.flat() ?? []
  for (const photo of found) if (!photos.has(photo.url)) photos.set(photo.url, photo)
  const maximum = maxPhotos[kind]
  for (let i = maximum; i < photos.size; i++) fields.note('photo_beyond_limit')
  return photos.size > 0 ? [...photos.values()].slice(0, maximum) : undefined
}

type Shared = { readonly [K in 'caption' | 'attribution' | 'license']: string | undefined }

/** Reads an item; its text may have several URLs. */
function readItem(item: FieldReader, shared: Shared): readonly Photo[] {
  const texts = (item.text('url') ?? '').split(betweenUrls)
  const size = texts.length === 1 ? readSize(item) : undefined
  const sourceUrl = item.text('source_url')
  const details = {
    width: size?.[0],
    height: size?.[1],
    caption: item.text('caption') ?? shared.caption,
    attribution: item.text('attribution') ?? shared.attribution,
    license: item.text('license') ?? item.text('licence') ?? shared.license,
    sourceUrl: sourceUrl === undefined ? undefined : readUrl(sourceUrl, item),
  }
  return texts.flatMap(text => {
    const url = readUrl(text, item)
    return url === undefined ? [] : compact<Photo>({ url, ...details })!
  })
}

/** Returns an absolute http or https URL in the form that browsers send. */
function readUrl(text: string, fields: FieldReader): string | undefined {
  const url = URL.parse(text.trim())
  if (url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '') {
    url.hash = ''
    if (url.href.length <= maxUrlLength) return url.href
  }
  fields.note('photo_url_invalid')
  return undefined
}

/** Reads width and height, which are kept together only. Some sources write 0 for an unknown size. */
function readSize(fields: FieldReader): readonly [width: number, height: number] | undefined {
  const [width = 0, height = 0] = ['width', 'height'].map(name => Number(fields.raw(name) ?? 0))
  if (isSize(width) && isSize(height)) return [width, height]
  if (width !== 0 || height !== 0) fields.note('photo_size_invalid')
  return undefined
}

const isSize = (value: number): boolean => Number.isInteger(value) && value > 0 && value <= maxPixels
