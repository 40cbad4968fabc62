import { findCategoryMapProblem } from '../domain/category-map.ts'
import { parseInstant } from '../kit/time.ts'
import type { Config } from './schema.ts'

/** Returns an error for each setting that another one requires and that is missing. */
export function findMissingSettings({
  management,
  mail,
  usage,
}: Config): { readonly path: string; readonly text: string }[] {
  const required = [
    {
      path: 'management.oidc.clientId',
      of: management?.oidc?.issuer,
      value: management?.oidc?.clientId,
      with: 'issuer',
    },
    {
      path: 'management.oidc.issuer',
      of: management?.oidc?.clientId,
      value: management?.oidc?.issuer,
      with: 'clientId',
    },
    { path: 'mail.from', of: mail?.host, value: mail?.from, with: 'host' },
    {
      path: 'usage.export.url',
      of: usage?.export?.tokenFile,
      value: usage?.export?.url,
      with: 'tokenFile',
    },
    { path: 'mail.passwordFile', of: mail?.user, value: mail?.passwordFile, with: 'user' },
  ]
  return required
    .filter(({ of, value }) => of !== undefined && value === undefined)
    .map(({ path, with: name }) => ({ path, text: `required with ${path.replace(/\w+$/, name)}, but missing` }))
}

/** Returns an error for the start of the export if it looks like a date and does not exist, such as 2026-02-30. */
export function findExportDateErrors({ usage }: Config): { readonly path: string; readonly text: string }[] {
  const from = usage?.export?.from
  const isDate = typeof from !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(from) || parseInstant(from) !== undefined
  return isDate ? [] : [{ path: 'usage.export.from', text: `the date ${from} does not exist` }]
}

/** Returns an error for each word of the category map that the tree has, and for each category that it lacks. */
export function findCategoryMapErrors({
  import: settings,
}: Config): { readonly path: string; readonly text: string }[] {
  return Object.entries(settings.categoryMap).flatMap(([word, category]) => {
    const text = findCategoryMapProblem(word, category)
    return text === undefined ? [] : [{ path: `import.categoryMap.${word}`, text }]
  })
}
