import { type Command, InvalidArgumentError, Option } from 'commander'
import { type Agreement, limitNames } from '../domain/agreement.ts'
import { addOnPermissions, type PackageName, type Permission, packageNames } from '../domain/package.ts'
import type { Scope } from '../domain/scope.ts'

/** A value of a flag; `package` removes an agreed value. */
type Agreed<T> = T | 'package'

/** The flags of a key's terms, as Commander returns them. */
export interface TermFlags extends AgreementFlags {
  readonly package?: PackageName
  readonly addOn?: Permission[]
  readonly noAddOn?: Permission[]
}

/** The flags of an agreement and a scope. */
export interface AgreementFlags {
  readonly rate?: Agreed<number>
  readonly burst?: Agreed<number>
  readonly quota?: Agreed<number | 'unlimited'>
  readonly searchRate?: Agreed<number>
  readonly searchBurst?: Agreed<number>
  readonly searchQuota?: Agreed<number | 'unlimited'>
  readonly autocompleteRate?: Agreed<number>
  readonly autocompleteBurst?: Agreed<number>
  readonly subject?: Agreed<'key' | 'partner'>
  readonly countries?: string[] | 'all'
  readonly categories?: string[] | 'all'
  readonly sources?: string[] | 'all'
}

/** Adds package, add-on, agreement and scope flags. */
export const withTermFlags = (command: Command): Command =>
  withAgreementFlags(
    command
      .addOption(new Option('--package <name>', 'subscription package').choices(packageNames))
      .addOption(
        new Option('--add-on <name...>', 'permissions in addition to the package').choices([...addOnPermissions]),
      ),
  )

/** Adds agreement and scope flags. */
export const withAgreementFlags = (command: Command): Command =>
  withLimitFlags(command)
    .option('--countries <codes>', 'only places in these countries (ES,FR); "all" removes the restriction', upperCased)
    .option('--categories <names>', 'only places of these categories (HOTEL,GEO)', upperCased)
    .option('--sources <names>', 'only places of these sources', listed)

/** Adds the flags of an agreement. */
export function withLimitFlags(command: Command): Command {
  return command
    .option(
      '--rate <n>',
      'agreed requests per second; for all limits, "package" restores the value of the package',
      rate,
    )
    .option('--burst <n>', 'agreed burst of requests', whole)
    .option('--quota <n>', 'agreed units per 24 hours, or unlimited', quota)
    .option('--search-rate <n>', 'agreed searches per second', rate)
    .option('--search-burst <n>', 'agreed burst of searches', whole)
    .option('--search-quota <n>', 'agreed searches per 24 hours, or unlimited', quota)
    .option('--autocomplete-rate <n>', 'agreed autocomplete requests per second', rate)
    .option('--autocomplete-burst <n>', 'agreed burst of autocomplete requests', whole)
    .addOption(
      new Option(
        '--subject <who>',
        'whether the limits apply to the key or to all keys of its partner together',
      ).choices(['key', 'partner', 'package']),
    )
}

/** Applies the flags to an agreement; `package` removes an agreed value. */
export function agreementWith(before: Agreement, flags: AgreementFlags): Agreement {
  const after: Record<string, unknown> = { ...before }
  for (const name of [...limitNames, 'subject'] as const) {
    if (flags[name] === 'package') delete after[name]
    else if (flags[name] !== undefined) after[name] = flags[name]
  }
  return after
}

/** Applies the flags to a scope; `all` removes a restriction. */
export function scopeWith(before: Scope, flags: AgreementFlags): Scope {
  const after: Record<string, unknown> = { ...before }
  for (const name of ['countries', 'categories', 'sources'] as const) {
    if (flags[name] === 'all') delete after[name]
    else if (flags[name] !== undefined) after[name] = flags[name]
  }
  return after
}

/** Applies the flags to a list of add-ons. */
export function addOnsWith(before: readonly Permission[], flags: TermFlags): Permission[] {
  const after = new Set([...before, ...(flags.addOn ?? [])])
  for (const name of flags.noAddOn ?? []) after.delete(name)
  return [...after]
}

function rate(text: string): Agreed<number> {
  if (text === 'package') return text
  const value = Number(text)
  if (Number.isNaN(value)) throw new InvalidArgumentError('Must be a number greater than 0, or package.')
  return value
}

function whole(text: string): Agreed<number> {
  if (text === 'package') return text
  const value = Number(text)
  if (Number.isNaN(value)) throw new InvalidArgumentError('Must be an integer of at least 1, or package.')
  return value
}

const quota = (text: string): Agreed<number | 'unlimited'> => (text === 'unlimited' ? text : whole(text))

const listed = (text: string): string[] | 'all' => (text === 'all' ? text : text.split(',').map(part => part.trim()))

function upperCased(text: string): string[] | 'all' {
  const names = listed(text)
  return names === 'all' ? names : names.map(name => name.toUpperCase())
}
