/** Pages that only redirect: no form returns to them. */
const passing = /^\/portal\/(sign-in|sign-out|prove|link|forgotten)(\/|$)/

/** Returns the page to which a form leads back: a path of the portal or console below the base path, else `/portal`. */
export function safeTarget(text: string | undefined): string {
  const base = 'http://periplus.invalid'
  const url = URL.parse(text ?? '', base)
  if (url?.origin !== base || !/^\/(portal|console)(\/|$)/.test(url.pathname) || passing.test(url.pathname))
    return '/portal'
  return url.pathname + url.search
}
