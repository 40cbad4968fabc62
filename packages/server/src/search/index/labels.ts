import type { Collector } from './collector.ts'
import { documentSums } from './groups.ts'
import { buildPostings, postingsOfColumn } from './postings.ts'
import type { SegmentArrays } from './segment.ts'
import { eachRun } from './texts.ts'
import { sharedCopy } from './typed-arrays.ts'

type LabelArrays = Pick<
  SegmentArrays,
  'labelKey' | 'labelKind' | 'labelTermStart' | 'labelTermSets' | 'labelTermDocs' | 'labelDocStart' | 'labelDocs'
>

/** Builds the group index of label sets. A label set is a distinct combination of categories and attributes. */
export function buildLabels(
  { labelSets, labelKind }: Collector,
  { labels }: Pick<SegmentArrays, 'labels'>,
  rankOfTerm: Uint32Array,
): LabelArrays {
  const [start, runs] = [labelSets.start.view(), labelSets.runs.view()]
  const terms = buildPostings(rankOfTerm.length, visit => {
    eachRun(start, runs, (set, from, to) => {
      for (let at = from; at < to; at++) visit(rankOfTerm[runs[at]!]!, set)
    })
  })
  const docs = postingsOfColumn(labels, start.length)
  return {
    labelKey: sharedCopy(labelSets.keys.view(), Float64Array),
    labelKind: sharedCopy(
      labelKind.view().map(term => rankOfTerm[term]!),
      Uint32Array,
    ),
    labelTermStart: terms.start,
    labelTermSets: terms.docs,
    labelTermDocs: documentSums({ termStart: terms.start, termGroups: terms.docs, docStart: docs.start }),
    labelDocStart: docs.start,
    labelDocs: docs.docs,
  }
}
