/** Overview and requests, in the portal and the console, over HTTP. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../eventually.ts'
import type { Reply } from '../http-client.ts'
import { makeKey, startWorld, type World } from '../world.ts'
import { pageClient } from './page-client.ts'

let world: World
let pages: ReturnType<typeof pageClient>
/** Cookies of a user of the partner `tester`, of a user of another partner, and of staff. */
let user: string
let stranger: string
let staff: string
let strangerPartner: string
beforeAll(async () => {
  world = await startWorld()
  pages = pageClient(world)
  strangerPartner = (await pages.run('partners', 'create', 'Other <Co>')).id!
  const open = async (email: string, ...flags: string[]) => pages.cookieOf(await pages.open(email, ...flags))
  user = await open('u@example.org', '--role', 'member', '--partner', 'tester')
  stranger = await open('s@example.org', '--role', 'admin', '--partner', strangerPartner)
  staff = await open('o@example.org', '--role', 'support')
})
afterAll(() => world.close())

const own = (path: string) => pages.get(`/portal/tester${path}`, user)
const textOf = ({ text }: Reply): string => text.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')
const idOf = (reply: Reply): string => reply.headers['x-request-id'] as string

describe('the overview', () => {
  test('leads a new partner to a test key, and a new key to its first call, which it then shows', async () => {
    const get = () => pages.get(`/portal/${strangerPartner}/`, stranger)
    const empty = await get()
    expect(empty.status).toBe(200)
    expect(empty.text).toContain(`href="/portal/${strangerPartner}/keys/new"`)
    const key = await pages.run('keys', 'create', '--partner', strangerPartner, '--test', '--package', 'discover')
    const waiting = await get()
    expect(waiting.text).toContain('Waiting for the first call')
    // The empty state has three samples; the folded end of the page names the call for the same figures.
    const [, samples] = /data-live="overview"(.*)<details class="same">/s.exec(waiting.text)!
    expect(samples!.match(/curl -H &quot;X-API-Key/g)).toHaveLength(3)
    // All but `/account` name the version, as the page of versions asks for.
    expect(samples!.match(/&amp;version=1/g)).toHaveLength(2)
    await world.get('/locations?ids=1,2,3', { key: key.key! })
    // The overview shows a call when it has been counted.
    const shown = await eventually(async () => {
      const text = textOf(await get())
      expect(text).toContain('Units today 3 1 call')
      return text
    })
    expect(shown).toContain('getLocations 1 3')
    expect(shown).toContain('3 of 1,000 units')
    expect(shown).toContain('The request log has no refused calls')
  })

  test('counts refused calls by cause, and links them to their requests', async () => {
    const { id, secret } = await makeKey(world.config, { agreement: { quota: 1 } })
    for (const target of ['/locations/1', '/locations/1', '/locations/1', '/locations/nearby?lat=91&lon=0'])
      await world.get(target, { key: secret })
    const revoked = await makeKey(world.config)
    await pages.run('keys', 'revoke', revoked.id)
    await eventually(async () => expect((await world.get('/locations/1', { key: revoked.secret })).status).toBe(401))
    await eventually(async () => {
      const { text } = await own('/')
      expect(text).toMatch(/requests\?fault=rate_limited">Limit: daily quota<\/a>.*?data-label="Calls">2</s)
      expect(text).toMatch(/requests\?fault=parameters_invalid">Wrong parameters<\/a>.*?data-label="Calls">1</s)
    })
    const { text } = await own('/')
    expect(text).toContain(`/keys/${id}"`)
    expect(text).toContain('class="bar bad"')
  })
})

describe('requests', () => {
  let refused: Reply
  beforeAll(async () => {
    const { secret } = await makeKey(world.config, { agreement: { searchRate: 0.01, searchBurst: 1 } })
    await world.get('/locations/search?query=a', { key: secret })
    refused = await world.get('/locations/search?query=a', { key: secret })
    expect(refused.status).toBe(429)
    await eventually(async () => expect((await own(`/requests/${idOf(refused)}`)).status).toBe(200))
  })

  test('a request is explained in the words of the command, with its limits and the calls around it', async () => {
    const { explanation } = (await pages.run('requests', 'show', idOf(refused))) as unknown as {
      readonly explanation: { readonly sentence: string; readonly remedy: string }
    }
    const details = await own(`/requests/${idOf(refused)}`)
    expect(textOf(details)).toContain(explanation.sentence)
    expect(textOf(details)).toContain(explanation.remedy)
    expect(textOf(details)).toContain('Search rate 1 search every 100 s')
    expect(details.text.match(/<tbody>.*?<\/tbody>/s)![0].match(/<tr>/g)).toHaveLength(2)
    expect(details.text).toContain(`request:    ${idOf(refused)}`)
    expect(details.text).toContain('href="/docs/guide"')
    expect(details.text).toMatch(/href="\/portal\/tester\/keys\/key_/)
    const seenByStaff = (await pages.get(`/console/requests/${idOf(refused)}`, staff)).text
    expect(seenByStaff).toContain(explanation.sentence)
    expect(seenByStaff).toMatch(/href="\/console\/partners\/tester\/keys\/key_/)
    expect(seenByStaff).not.toContain('/portal/tester')
  })

  test('a request is found by its id, by its partner and staff alone', async () => {
    const id = idOf(refused)
    expect(await own(`/requests?id=%20${id.toUpperCase()}`)).toMatchObject({
      status: 303,
      headers: { location: `/portal/tester/requests/${id}` },
    })
    expect(await pages.get(`/console/requests?id=${id}`, staff)).toMatchObject({ status: 303 })
    const [known, unknown] = await Promise.all(
      [id, `${id.slice(0, -1)}${id.endsWith('0') ? '1' : '0'}`].map(async one => {
        const reply = await pages.get(`/portal/${strangerPartner}/requests/${one}`, stranger)
        return `${reply.status} ${reply.text}`
      }),
    )
    expect(known).toBe(unknown)
    expect(known).toMatch(/^404 /)
    const missing = await own('/requests?id=<b>')
    expect(missing.status).toBe(404)
    expect(missing.text).toContain('value="&lt;b&gt;"')
    expect(textOf(missing)).toContain('No request has this id. Requests are kept for 14 days')
    const others = await pages.get(`/portal/${strangerPartner}/requests`, stranger)
    expect(others.text).not.toContain('tester')
    expect((await pages.get('/console/requests', staff)).text).toContain('Tester')
    expect((await pages.get('/console/requests', user)).status).toBe(404)
  })

  test('the list has the calls of its filter, as page and as files', async () => {
    const { text } = await own('/requests?status=429&operation=searchLocations')
    expect(text).toContain(`/requests/${idOf(refused)}"`)
    expect(text).toMatch(/<option value="forbidden"[^>]*>Missing permission</)
    expect(textOf({ text } as Reply)).toMatch(/1 default 429 Limit: search rate 0 of 1 left, again after 1 min \d+ s 0/)
    const { text: quota } = await own('/requests?status=429&operation=getLocation')
    expect(textOf({ text: quota } as Reply)).toMatch(/429 Limit: daily quota 0 of 1 left, again after (1 day|2[34] h)/)
    const listed = (await pages.run('requests', 'list', '--partner', 'tester', '--status', '429')) as unknown as {
      readonly requests: readonly { readonly id: string }[]
    }
    const json = (await own('/requests?status=429&format=json')).json()
    expect(json).toEqual(listed.requests)
    const csv = await own('/requests?status=429&format=csv')
    expect(csv.headers['content-disposition']).toBe('attachment; filename="requests.csv"')
    const ids = csv.text
      .trim()
      .split(/\r?\n/)
      .map(line => line.split(',', 1)[0])
    expect(ids).toEqual(['id', ...listed.requests.map(({ id }) => id)])
    const none = textOf(await own('/requests?operation=listFeeds'))
    expect(none).toContain('No requests match')
  })

  test('pages follow each other without a gap', async () => {
    const key = await makeKey(world.config)
    const sent = await Promise.all(
      Array.from({ length: 60 }, () => world.get('/locations/1', { key: key.secret }).then(idOf)),
    )
    const idsOf = ({ text }: Reply) => [...text.matchAll(/title="([\w-]{36})"/g)].map(([, id]) => id!)
    await eventually(async () => {
      const first = await own(`/requests?key=${key.id}`)
      const [, next] = /href="([^"]*after=[^"]*)">Next page/.exec(first.text)!
      const second = await pages.get(next!.replaceAll('&amp;', '&'), user)
      expect([...idsOf(first), ...idsOf(second)].sort()).toEqual(sent.sort())
      expect(second.text).not.toContain('live.')
    })
  })

  test.each([
    ['status=9', 'This is not a status'],
    ['operation=%27', 'This operation does not exist'],
    ['fault=toString', 'This error does not exist'],
    ['from=2026-02-30', 'This is not a date'],
    ['from=2026-02-03&to=2026-02-01', 'The first day is after the last.'],
  ])('%s is refused at its field', async (query, message) => {
    const reply = await own(`/requests?${query}`)
    expect(reply.status).toBe(400)
    expect(textOf(reply)).toContain(message)
    expect(reply.text).toContain('aria-invalid="true"')
  })

  test('a wrong cursor is an error, not a failure', async () => {
    expect((await own('/requests?after=x')).status).toBe(400)
  })
})

describe('usage', () => {
  test.each([
    ['from=2026-02-30', 'This is not a date'],
    ['to=yesterday', 'This is not a date'],
    ['from=2026-02-03&to=2026-02-01', 'The first day is after the last.'],
    ['from=2999-01-01', 'This day is in the future.'],
    ['from=2020-01-01', 'Choose at most 366 days.'],
    ['tz=Europe/Atlantis', 'This time zone does not exist'],
  ])('%s is refused at its field', async (query, message) => {
    const reply = await own(`/usage?${query}`)
    expect(reply.status).toBe(400)
    expect(textOf(reply)).toContain(message)
  })

  test('the console sums all partners, and says whether the sums were verified', async () => {
    const get = async (query = '') => textOf(await pages.get(`/console/usage${query}`, staff))
    expect(await get('?by=partner')).toMatch(/Tester \d+/)
    expect(await get('?by=partner')).toContain('Other &lt;Co&gt; 1 3 0')
    expect(await get(`?partner=${strangerPartner}&by=key`)).toContain('Total 1 3 0')
    expect(await get('?partner=unknown')).toContain('No calls from')
    expect(await get()).toContain('has not been compared')
    await pages.run('verify')
    expect(await get()).toContain('the usage matches the journal')
  })

  test('a page of another partner does not exist', async () => {
    for (const path of ['/', '/usage', '/requests', '/statements'])
      expect((await pages.get(`/portal/tester${path}`, stranger)).status).toBe(404)
  })
})
