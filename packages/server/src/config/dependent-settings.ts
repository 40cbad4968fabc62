import type { Config } from './schema.ts'

/** Returns an error for each setting that another one requires and that is missing. */
export function findMissingSettings({ management, mail }: Config): { readonly path: string; readonly text: string }[] {
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
    { path: 'mail.passwordFile', of: mail?.user, value: mail?.passwordFile, with: 'user' },
  ]
  return required
    .filter(({ of, value }) => of !== undefined && value === undefined)
    .map(({ path, with: name }) => ({ path, text: `required with ${path.replace(/\w+$/, name)}, but missing` }))
}
