import { setTimeout } from 'node:timers/promises'

/**
 * Returns the text of a page. A request that exceeds a rate is sent again after the wait that the response names. Calls
 * `onSend` before each attempt. Throws if the page is answered with another status than 200 or 429.
 */
export async function getPage(
  url: string,
  headers: Readonly<Record<string, string>>,
  onSend: () => void = () => undefined,
): Promise<string> {
  for (;;) {
    onSend()
    const reply = await fetch(url, { headers })
    const text = await reply.text()
    if (reply.status === 200) return text
    const waitSeconds = reply.headers.get('retry-after')
    if (reply.status !== 429 || waitSeconds === null) throw new Error(`${url} answered ${reply.status}.`)
    await setTimeout(Number(waitSeconds) * 1000)
  }
}
