import type { Picker } from '../hostile-requests.ts'
import type { Sent } from '../http-client.ts'

/** A request that may take the short way. */
export interface RandomRead extends Sent {
  readonly target: string
  readonly key: string | null
}

const anyOf = <T>(pick: Picker, list: readonly T[]): T => list[pick(list.length)]!

/** Returns `list[0]` most of the time. */
const mostlyFirst = <T>(pick: Picker, list: readonly T[]): T => (pick(3) > 0 ? list[0]! : anyOf(pick, list))

/** Creates a read by id, most of the time one that the short way answers. */
export function randomRead(
  pick: Picker,
  ids: readonly (number | bigint)[],
  keys: readonly (string | null)[],
): RandomRead {
  const id = () => anyOf(pick, ids)
  const list = Array.from({ length: 1 + pick(5) }, id).join(mostlyFirst(pick, [',', '%2C', '%2c', '+', ';', ',,']))
  const path = anyOf(pick, [
    `/locations/${id()}`,
    `/locations?ids=${list}`,
    mostlyFirst(pick, [
      `/locations/${id()}`,
      `/locations/0${id()}`,
      `/locations/${id()}/`,
      `/locations/%31`,
      `/locations/9223372036854775808`,
      `/Locations/${id()}`,
      `/locations/x`,
      `/locations/`,
      `/locations?ids=`,
      `/locations?ids=${list}&ids=${id()}`,
      `/locations?ids=0`,
      `//locations/${id()}`,
    ]),
  ])
  const mark = path.includes('?') ? '&' : '?'
  const parameter = mostlyFirst(pick, [
    ...[
      '',
      'version=1',
      'version=v1',
      'version=2',
      'version=0',
      'version=beta',
      'version=9',
      'version=',
      'version=1&version=2',
    ],
    ...['locale=es', 'strict=true', 'strict=maybe', 'nothing=1', 'fields=id', 'api-version=1', 'key=x', '&', '%'],
  ])
  return {
    target: path + (parameter && mark + parameter),
    key: mostlyFirst(pick, keys),
    method: mostlyFirst(pick, ['GET', 'GET', 'HEAD', 'POST', 'OPTIONS']),
    headers: randomHeaders(pick),
  }
}

function randomHeaders(pick: Picker): Record<string, string> {
  const headers: Record<string, string> = {}
  const add = (name: string, values: readonly string[]) => {
    if (pick(4) === 0) headers[name] = anyOf(pick, values)
  }
  add('Accept-Encoding', ['gzip, deflate, br', 'gzip', 'br', 'identity;q=0', 'br;q=0, gzip;q=0.1', '*', 'zstd', ''])
  add('If-None-Match', ['*', '"x"', 'W/"x"', ''])
  add('API-Version', ['1', 'v1', '2', '9', '1, 2'])
  add('Origin', ['https://app.example', 'https://other.example'])
  add('X-Forwarded-For', ['192.0.2.1', 'x'])
  add('Authorization', ['Bearer x'])
  add('Range', ['bytes=0-10'])
  add('Expect', ['x'])
  return headers
}
