import { isBlobKey } from './blob-store.ts'

/** Place of the blobs: a folder, which may be on shared storage, or a bucket of an S3 store. */
export type BlobAddress = FolderAddress | S3Address

export interface FolderAddress {
  readonly kind: 'folder'
  readonly path: string
}

export interface S3Address {
  readonly kind: 's3'
  readonly bucket: string
  /** Beginning of all names of objects; empty, or ends with `/`. */
  readonly prefix: string
  /** URL of the server; undefined for AWS. */
  readonly endpoint: string | undefined
  /** Undefined if AWS_REGION or the profile of AWS names it. */
  readonly region: string | undefined
}

const bucketPattern = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/
const regionPattern = /^[a-z0-9-]{1,64}$/
const parameters = ['endpoint', 'region']

/**
 * Parses the path of a folder, or `s3://bucket/prefix?endpoint=https://host&region=name`, where the prefix and the
 * parameters are optional. Returns a sentence, which repeats no part of the text, if it has another form.
 */
export function parseBlobAddress(text: string): BlobAddress | string {
  if (text === '' || text.includes('\0')) return 'The address must be the path of a folder, or begin with s3://.'
  // A drive such as C: is one letter; s3:/bucket and gs:x are misspelt or unknown schemes, never folders.
  if (!/^[a-z][a-z0-9+.-]+:/i.test(text)) return { kind: 'folder', path: text }
  if (!text.startsWith('s3://') || !URL.canParse(text))
    return 'The address must be the path of a folder, or look like s3://bucket/prefix?endpoint=https://s3.internal.'
  const url = new URL(text)
  const problem = findUrlProblem(url)
  if (problem !== undefined) return problem
  const prefix = url.pathname.replace(/^\/|\/$/g, '')
  if (prefix !== '' && !isBlobKey(prefix))
    return 'The prefix of the address may have a-z, 0-9, dots, dashes and underscores between slashes.'
  const { endpoint, region } = Object.fromEntries(url.searchParams)
  return { kind: 's3', bucket: url.host, prefix: prefix === '' ? '' : `${prefix}/`, endpoint, region }
}

function findUrlProblem({ username, password, hash, host, searchParams }: URL): string | undefined {
  if (username !== '' || password !== '')
    return 'The address must have no user and no password: credentials come from the environment, as AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.'
  if (!bucketPattern.test(host)) return 'The address must name a bucket, as in s3://bucket/prefix.'
  const names = [...searchParams.keys()]
  if (hash !== '' || names.some(name => !parameters.includes(name)) || new Set(names).size < names.length)
    return 'After its question mark, the address may have endpoint=URL and region=NAME, each once.'
  const region = searchParams.get('region')
  if (region !== null && !regionPattern.test(region)) return 'The region of the address must be one such as eu-west-1.'
  const endpoint = searchParams.get('endpoint')
  if (endpoint !== null && !isEndpoint(endpoint))
    return 'The endpoint of the address must be an http or https URL without user, path and parameters.'
  return undefined
}

function isEndpoint(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password, pathname, search, hash } = new URL(text)
  return /^https?:$/.test(protocol) && pathname === '/' && `${username}${password}${search}${hash}` === ''
}

/** Returns the name of the blobs in messages. */
export const describeBlobAddress = (address: BlobAddress): string =>
  address.kind === 'folder' ? address.path : `s3://${address.bucket}/${address.prefix}`
