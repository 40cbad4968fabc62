import { getDefaultVersion, type Lifecycle } from '../../../versions/lifecycle.ts'
import type { SectionNav } from '../../../web/layout.ts'
import type { OpenApiDocument, Parameter } from '../../../web/reference/openapi.ts'
import {
  type ApiReference,
  readOperations,
  type VersionChoice,
  withPlaceIds,
} from '../../../web/reference/operations.ts'
import type { Site } from '../../../web/site.ts'
import type { DocumentSettings } from '../../openapi/parts.ts'
import { findDocument, getFeedDocument, listServedDocuments } from '../../openapi/served-documents.ts'
import { docsNav } from './docs-nav.ts'
import { createKeptValues, type ValueInputs } from './kept-values.ts'
import { describeTerms, type Meters } from './operation-terms.ts'

/** The contents of the pages of one version. */
export interface VersionReference extends ApiReference {
  readonly nav: SectionNav
  /** The parameters that every operation has. */
  readonly common: readonly Parameter[]
  readonly publicUrl: string
  /** Id of a place that exists, for the samples; 1 while no place is known. */
  readonly placeId: string
  readonly site: Site
}

/** Settings that the reference shows. */
export interface ReferenceSettings extends DocumentSettings {
  readonly site: Site
  readonly meters: Meters
}

/** Lists the versions with pages, the latest stable one first (SPEC §9.4), then the others from new to old. */
export function listVersionChoices(lifecycle: Lifecycle, nowMs: number): VersionChoice[] {
  const latest = getDefaultVersion(lifecycle, nowMs)
  const choices = listServedDocuments(lifecycle, nowMs).map(({ name: document, entry }) => ({
    name: entry.name,
    label: `${entry.name} (${entry === latest ? 'latest' : entry.status})`,
    folder: entry === latest ? '' : `/${document}`,
    document,
  }))
  const [first] = choices.filter(({ folder }) => folder === '')
  return [...(first ? [first] : []), ...choices.filter(one => one !== first).reverse()]
}

/**
 * Returns the reference of a version by the name of its document, by default that of the latest stable version. Its
 * examples call the places of the inputs; without any, those of the document.
 */
export type ReferenceReader = (inputs: ValueInputs, name?: string) => VersionReference | undefined

/** Creates a function that reads references. The operations of a version are read again only when they change. */
export function createReferenceReader(lifecycle: Lifecycle, settings: ReferenceSettings): ReferenceReader {
  const kept = createKeptValues<VersionReference>(lifecycle)
  return (inputs, name) => kept(name ?? '', inputs, () => readReference(lifecycle, settings, inputs, name))
}

function readReference(
  lifecycle: Lifecycle,
  settings: ReferenceSettings,
  { nowMs, placeIds }: ValueInputs,
  name: string | undefined,
): VersionReference | undefined {
  const { site, publicUrl, meters } = settings
  const versions = listVersionChoices(lifecycle, nowMs)
  const choice = versions.find(({ document }) => document === name) ?? (name === undefined ? versions[0] : undefined)
  if (!choice) return undefined
  const document = findDocument(lifecycle, settings, choice.document, nowMs) as unknown as OpenApiDocument
  const feeds = getFeedDocument(lifecycle, settings, nowMs) as unknown as OpenApiDocument
  const operations = readOperations([document, feeds], operation => describeTerms(operation, meters))
  const groups = withPlaceIds(operations, placeIds)
  return {
    ...choice,
    versions,
    groups,
    publicUrl,
    placeId: placeIds[0] ?? '1',
    site,
    nav: docsNav(groups, choice.folder, site),
    headers: { ...document.components.headers, ...feeds.components.headers },
    common: Object.values(document.components.parameters),
  }
}
