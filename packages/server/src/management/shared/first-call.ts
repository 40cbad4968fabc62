import type { ManagementContext } from '../context.ts'

/** Returns a command that calls the API in the default version. */
export function curlCall({ apiUrl, versions }: Pick<ManagementContext, 'apiUrl' | 'versions'>, target: string): string {
  const version = versions().find(({ isDefault }) => isDefault)?.name
  const query = version === undefined ? '' : `${target.includes('?') ? '&' : '?'}version=${version}`
  return `curl -H "X-API-Key: $PERIPLUS_KEY" "${apiUrl}${target}${query}"`
}

/** Target of the first call that pages without calls propose. */
export const firstTarget = '/locations/search?query=museum'
