import type { Lifecycle } from '../../../versions/lifecycle.ts'
import type { RegisteredVersion } from '../../../versions/registry.ts'
import { type Html, html } from '../../../web/html.ts'
import { type EndingPart, listEndingParts } from './lifecycle-events.ts'

/** The contents of the feed of changes. */
export interface ChangeFeedParts {
  readonly lifecycle: Lifecycle
  readonly publicUrl: string
  /** Name of the site. */
  readonly name: string
  /** Start of the service, in milliseconds since 1970: changes with a later date count as announced at this time. */
  readonly announcedMs: number
}

interface Entry {
  readonly id: string
  readonly title: string
  readonly text: string
  /** Path of the page about the change, below the base path. */
  readonly page: string
  readonly updatedMs: number
}

/**
 * Returns an Atom feed (RFC 4287) of new versions, deprecations, and sunsets of versions and endpoints, newest first.
 */
export function changeFeed({ lifecycle, publicUrl, name, announcedMs }: ChangeFeedParts, nowMs: number): string {
  const endings = listEndingParts(lifecycle).flatMap(part => entriesOf(part, { nowMs, announcedMs }))
  const entries = [...endings, ...lifecycle.versions.flatMap(version => releaseOf(version, nowMs))].toSorted(
    (a, b) => b.updatedMs - a.updatedMs,
  )
  const updated = iso(entries[0]?.updatedMs ?? announcedMs)
  return html`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<id>${publicUrl}/changelog.atom</id>
<title>Changes of the API of ${name}</title>
<updated>${updated}</updated>
<author><name>${name}</name></author>
<link rel="self" type="application/atom+xml" href="${publicUrl}/changelog.atom"/>
<link rel="alternate" type="text/html" href="${publicUrl}/docs/versions"/>
${entries.map(entry => renderEntry(entry, publicUrl))}</feed>
`.text
}

const renderEntry = ({ id, title, text, page, updatedMs }: Entry, publicUrl: string): Html => html`<entry>
<id>${publicUrl}/changelog.atom#${id}</id>
<title>${title}</title>
<updated>${iso(updatedMs)}</updated>
<link rel="alternate" type="text/html" href="${publicUrl}${page}"/>
<content type="text">${text}</content>
</entry>
`

/** Returns the entry of a version that has been released, with its changelog. */
function releaseOf({ name, status, releasedMs }: RegisteredVersion, nowMs: number): readonly Entry[] {
  if (releasedMs === undefined || releasedMs > nowMs) return []
  const isPreview = status === 'preview'
  const terms = isPreview ? ' It may change until it is promoted.' : ''
  return [
    {
      id: `version-${name}-released`,
      page: `/changelog/v${name}`,
      updatedMs: releasedMs,
      title: `Version ${name} is available${isPreview ? ' as a preview' : ''}`,
      text: `Requests with version=${name} are answered in version ${name}.${terms} Its changelog lists all changes.`,
    },
  ]
}

/**
 * Returns the entries of a version or endpoint: its deprecation, with the date of its sunset, and its sunset once it
 * has come.
 */
function entriesOf(
  { id, label, anchor, deprecatedMs, sunsetMs }: EndingPart,
  { nowMs, announcedMs }: { readonly nowMs: number; readonly announcedMs: number },
): readonly Entry[] {
  const page = `/docs/versions#${anchor}`
  const end =
    sunsetMs === undefined ? '' : ` It ${sunsetMs <= nowMs ? 'has answered' : 'answers'} 410 from ${day(sunsetMs)} on.`
  const isDeprecated = deprecatedMs !== undefined && deprecatedMs <= nowMs
  const deprecation =
    deprecatedMs === undefined
      ? ''
      : `${label} ${isDeprecated ? 'has been' : 'will be'} deprecated from ${day(deprecatedMs)} on.`
  const entries: Entry[] = []
  if (deprecatedMs !== undefined || (sunsetMs !== undefined && sunsetMs > nowMs))
    entries.push({
      id: `${id}-deprecated`,
      page,
      updatedMs: isDeprecated ? deprecatedMs : Math.min(announcedMs, nowMs),
      title: isDeprecated ? `${label} is deprecated` : `${label} will be retired`,
      text: `${deprecation}${end}`.trim(),
    })
  if (sunsetMs !== undefined && sunsetMs <= nowMs)
    entries.push({
      id: `${id}-ended`,
      page,
      updatedMs: sunsetMs,
      title: `${label} is retired`,
      text: `${label} was retired.${end}`,
    })
  return entries
}

const iso = (ms: number): string => new Date(ms).toISOString()
const day = (ms: number): string => iso(ms).slice(0, 10)
