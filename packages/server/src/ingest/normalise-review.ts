import type { Id } from '../domain/id.ts'
import type { Rejection } from '../domain/import.ts'
import { parseLocale } from '../domain/locale.ts'
import type { LocalText } from '../domain/location.ts'
import type { ExternalKey, LocationRef } from '../domain/record-write.ts'
import { type OwnerResponse, type Review, type ReviewUser, tripTypes } from '../domain/review.ts'
import { readImage } from './details.ts'
import { compact, FieldReader, type Findings } from './field-reader.ts'
import { readKey } from './key.ts'
import { readPhotos } from './photos.ts'
import { readRating, readSubratings } from './ratings.ts'
import { readLanguage, readNestedTexts, withPrimary } from './texts.ts'

/** A normalised record of a review: the review to store, without its ids, or a deletion. */
export type ReviewRecord = { readonly key: ExternalKey; readonly notes: readonly string[] } & (
  | { readonly op: 'put'; readonly review: Omit<Review, 'id' | 'locationId'>; readonly place: LocationRef }
  | { readonly op: 'delete' }
)

/** Converts a record, flat or SPEC-shaped (rulings: Import format), to a canonical review, or rejects it. */
export function normaliseReview(
  record: Readonly<Record<string, unknown>>,
  options: { readonly defaultSource: string },
): ReviewRecord | Rejection {
  const findings: Findings = { notes: [] }
  const fields = new FieldReader(record, findings)
  const read = readRecord(fields, options.defaultSource)
  if (findings.rejection) return findings.rejection
  return { ...read!, notes: findings.notes }
}

type WithoutNotes<T> = T extends unknown ? Omit<T, 'notes'> : never

function readRecord(fields: FieldReader, defaultSource: string): WithoutNotes<ReviewRecord> | undefined {
  const key = readKey(fields, defaultSource)
  if (!key) return undefined
  if (fields.boolean('deleted')) return { op: 'delete', key }
  const place = readPlace(fields, key.source)
  if (!place) return undefined
  const language = readLanguage(fields, 'lang')
  const title = readTexts(fields, 'title', language)
  const text = readTexts(fields, 'text', language)
  const rating = readRating(fields, 'rating')
  if (rating !== undefined && rating < 1)
    return fields.reject('rating', 'rating_out_of_range', `is ${rating}, but must be between 1 and 5`)
  if (!text && rating === undefined)
    return fields.reject('text', 'missing_text_or_rating', 'is missing and so is rating; a review requires one of them')
  const original = language ?? text?.find(one => one.primary)?.language
  const review = compact<Omit<Review, 'id' | 'locationId'>>({
    publishedMs: fields.instant('publish_ts') ?? fields.instant('published_date'),
    rating,
    tripType: readTripType(fields),
    language: original,
    travelDate: readTravelDate(fields),
    title,
    text,
    url: fields.text('url'),
    user: readUser(fields),
    userKey: readUserKey(fields, key.source),
    subratings: readSubratings(fields)?.map(({ type, rating: value }) => ({ type, rating: value })),
    ownerResponse: readOwnerResponse(fields, original),
    photos: readPhotos(fields, 'review'),
  })!
  return { op: 'put', key, review, place }
}

function readPlace(fields: FieldReader, source: string): LocationRef | undefined {
  const id: Id | undefined = fields.id('location_id')
  if (id !== undefined) return { id }
  const sourceId = fields.text('place_source_id')
  if (sourceId !== undefined) return { source: fields.text('place_source') ?? source, sourceId }
  return fields.reject('location_id', 'missing_place', 'is missing and so is place_source_id; one of them is required')
}

/** Reads nested texts, or one text in the review's language. */
function readTexts(fields: FieldReader, name: string, language: string | undefined): LocalText[] | undefined {
  if (Array.isArray(fields.raw(name))) {
    const nested = readNestedTexts(fields, name)
    return nested && withPrimary(nested)
  }
  const value = fields.text(name)
  return value === undefined ? undefined : [{ ...(language !== undefined && { language }), value, primary: true }]
}

function readTripType(fields: FieldReader): Review['tripType'] {
  const text = fields.text('trip_type')?.trim().toUpperCase()
  if (text === undefined) return undefined
  const known = tripTypes.find(type => type === text)
  if (!known) fields.note('unknown_trip_type')
  return known
}

/** Reads a date such as 2026-05-01, or a month such as 2026-05. */
function readTravelDate(fields: FieldReader): string | undefined {
  const text = fields.text('travel_date')
  return text !== undefined && /^\d{4}-(0[1-9]|1[0-2])$/.test(text) ? text : fields.date('travel_date')
}

function readUser(fields: FieldReader): ReviewUser | undefined {
  const nested = fields.object('user')
  return compact<ReviewUser>({
    username: nested?.text('username') ?? fields.text('user_name'),
    avatarUrl: nested && readImage(nested, 'avatar_url'),
    geo: nested?.text('geo'),
    geoId: nested?.id('geo_id')?.toString(),
  })
}

function readUserKey(fields: FieldReader, source: string): string | undefined {
  const id = fields.text('user_id')
  return id === undefined ? undefined : `${source}:${id}`
}

function readOwnerResponse(fields: FieldReader, language: string | undefined): OwnerResponse | undefined {
  if (typeof fields.raw('owner_response') !== 'object') {
    const value = fields.text('owner_response')
    return value === undefined
      ? undefined
      : { text: [{ ...(language !== undefined && { language }), value, primary: true }] }
  }
  const nested = fields.object('owner_response')
  const own = nested?.text('lang')
  const text = nested && readTexts(nested, 'text', (own && parseLocale(own)) || language)
  if (!nested || !text) return undefined
  return compact<OwnerResponse>({
    id: nested.id('id')?.toString(),
    text,
    publishDate: nested.date('publish_date') ?? nested.date('published_date'),
    username: nested.text('username'),
  })
}
