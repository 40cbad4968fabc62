import { readFileSync } from 'node:fs'
import {
  type CategoryAssignment,
  type CategoryMap,
  describeCategoryMapProblems,
  toCategoryMap,
} from '../domain/category-map.ts'
import { guessDelimiter } from './formats/csv-dialect.ts'
import { parseRecords } from './formats/csv-records.ts'
import { decodeText } from './formats/encoding.ts'
import { newline } from './formats/lines.ts'

/** A word, the category that it is assigned to, and where the file says so. */
interface Assignment extends CategoryAssignment {
  readonly at: string
}

/** Reads a file that assigns words to categories of the tree: a JSON object, or CSV with two columns. */
export function readCategoryMap(
  file: string,
): { readonly map: CategoryMap } | { readonly problems: readonly string[] } {
  let text: string | undefined
  try {
    text = decodeText(readFileSync(file))
  } catch (error) {
    return { problems: [`The file cannot be read (${(error as NodeJS.ErrnoException).code}).`] }
  }
  if (text === undefined) return { problems: ['The file is not text in UTF-8. Save it as UTF-8.'] }
  const assignments = text.trimStart().startsWith('{') ? parseJson(text) : parseCsv(Buffer.from(text))
  if (typeof assignments === 'string') return { problems: [assignments] }
  const problems = describeCategoryMapProblems(assignments)
  if (problems.length > 0) return { problems }
  if (assignments.length === 0) return { problems: ['The file assigns no words.'] }
  return { map: toCategoryMap(assignments.map(({ word, category }) => [word, category])) }
}

function parseJson(text: string): Assignment[] | string {
  let value: object
  try {
    value = JSON.parse(text)
  } catch (error) {
    return `The file is not valid JSON (${(error as Error).message}).`
  }
  const entries = Object.entries(value)
  const wrong = entries.find(([, category]) => typeof category !== 'string')
  if (wrong) return `The category of ${wrong[0]} must be text.`
  return entries.map(([word, category]) => ({ at: word, word: word.trim(), category: category.trim() }))
}

/** Parses CSV. A first line whose second cell is `category` names the columns. */
function parseCsv(bytes: Buffer): Assignment[] | string {
  const delimiter = guessDelimiter(bytes, true) ?? ','
  const { records, error } = parseRecords(bytes, { delimiter, lineEnd: newline })
  if (error !== undefined) return `Line ${records.length + 1} has a quote that is not closed, or not alone.`
  const assignments = records.map(({ cells: [word = '', category = ''] }, i) => ({
    at: `Line ${i + 1}`,
    word: word.trim(),
    category: category.trim(),
  }))
  return /^category(_id)?$/i.test(assignments[0]?.category ?? '') ? assignments.slice(1) : assignments
}
