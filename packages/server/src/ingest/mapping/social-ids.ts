/** Sources of ids by the hosts of social networks. */
const networks: Readonly<Record<string, string>> = {
  'facebook.com': 'facebook',
  'fb.com': 'facebook',
  'instagram.com': 'instagram',
  'twitter.com': 'twitter',
  'x.com': 'twitter',
}

/** Host without `www.` or `m.`, and the path without slashes at its ends, queries and fragments. */
const address = /^(?:https?:)?(?:\/\/)?(?:www\.|m\.)?([^/?#]+)\/+([^?#]*?)\/*(?:[?#].*)?$/i

/** Converts the addresses of a place in social networks to ids: `https://www.facebook.com/17` gives `facebook:17`. */
export function socialIds(urls: unknown): { source: string; id: string }[] {
  const ids: { source: string; id: string }[] = []
  for (const url of Array.isArray(urls) ? urls : [urls]) {
    const [, host, path] = typeof url === 'string' ? (address.exec(url.trim()) ?? []) : []
    if (host === undefined || path === undefined || path === '') continue
    const name = host.toLowerCase()
    ids.push({ source: networks[name] ?? name, id: path })
  }
  return ids
}
