/** A name that people use for a place, as a phrase of tokens, and the place: its name, country and region. */
interface Nickname {
  readonly name: string
  readonly country: string
  readonly region?: string
}

const places: readonly (readonly [phrases: string, name: string, country: string, region?: string])[] = [
  ['nyc|ny city|big apple|the big apple', 'new york city', 'US', 'US-NY'],
  ['city of angels', 'los angeles', 'US', 'US-CA'],
  ['san fran|sanfran', 'san francisco', 'US', 'US-CA'],
  ['vegas|sin city', 'las vegas', 'US', 'US-NV'],
  ['nola|the big easy|big easy', 'new orleans', 'US', 'US-LA'],
  ['philly', 'philadelphia', 'US', 'US-PA'],
  ['chi town|the windy city|windy city', 'chicago', 'US', 'US-IL'],
  ['beantown', 'boston', 'US', 'US-MA'],
  ['motor city', 'detroit', 'US', 'US-MI'],
  ['mile high city', 'denver', 'US', 'US-CO'],
  ['emerald city', 'seattle', 'US', 'US-WA'],
  ['music city', 'nashville', 'US', 'US-TN'],
  ['washington d c', 'washington', 'US', 'US-DC'],
  ['slc', 'salt lake city', 'US', 'US-UT'],
  ['okc', 'oklahoma city', 'US', 'US-OK'],
  ['cdmx|ciudad de mexico df|mexico df|mexico d f', 'mexico city', 'MX'],
  ['rio', 'rio de janeiro', 'BR', 'BR-RJ'],
  ['sampa', 'sao paulo', 'BR', 'BR-SP'],
  ['baires|bs as', 'buenos aires', 'AR'],
  ['the big smoke', 'london', 'GB'],
  ['brum', 'birmingham', 'GB'],
  ['auld reekie', 'edinburgh', 'GB'],
  ['city of light|city of lights|ville lumiere|paname', 'paris', 'FR'],
  ['the eternal city|eternal city|citta eterna|la citta eterna', 'rome', 'IT'],
  ['la serenissima|serenissima', 'venice', 'IT'],
  ['stambul', 'istanbul', 'TR'],
  ['constantinople|byzantium', 'istanbul', 'TR'],
  ['bcn|barna', 'barcelona', 'ES'],
  ['a dam|mokum', 'amsterdam', 'NL'],
  ['piter|spb|leningrad|petrograd', 'saint petersburg', 'RU'],
  ['stalingrad', 'volgograd', 'RU'],
  ['msk', 'moscow', 'RU'],
  ['hk', 'hong kong', 'HK'],
  ['kl', 'kuala lumpur', 'MY'],
  ['bkk|krung thep', 'bangkok', 'TH'],
  ['hcmc|saigon|sai gon', 'ho chi minh city', 'VN'],
  ['bombay', 'mumbai', 'IN'],
  ['calcutta', 'kolkata', 'IN'],
  ['madras', 'chennai', 'IN'],
  ['bangalore|blr', 'bengaluru', 'IN'],
  ['poona', 'pune', 'IN'],
  ['benares', 'varanasi', 'IN'],
  ['peking', 'beijing', 'CN'],
  ['rangoon', 'yangon', 'MM'],
  ['jogja|yogya', 'yogyakarta', 'ID'],
  ['joburg|jozi|jo burg', 'johannesburg', 'ZA'],
  ['mother city', 'cape town', 'ZA'],
  ['kyev|kiew|kiev', 'kyiv', 'UA'],
]

let nicknames: ReadonlyMap<string, Nickname> | undefined

/** Maximum number of tokens in a nickname. */
export const longestNickname = 4

/** Returns the place that a phrase is a nickname, an abbreviation or a former name of. */
export function nicknamed(phrase: string): Nickname | undefined {
  nicknames ??= new Map(
    places.flatMap(([phrases, name, country, region]) =>
      phrases.split('|').map(one => [one, { name, country, ...(region !== undefined && { region }) }] as const),
    ),
  )
  return nicknames.get(phrase)
}
