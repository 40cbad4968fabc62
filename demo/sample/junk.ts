import type { Place } from './place.ts'

/**
 * Patterns that the name of a venue has to match, by category. Who's On First venues come from a business directory of
 * about 2010 whose categories are often wrong: ventilation firms are "theatres", freight agents are "airports".
 */
const nameSays: Readonly<Record<string, RegExp>> = {
  museum: /museum|mus[eé]e|m[uü]ze|museo|gallery of (art|fine)|historical society/i,
  gallery: /galler|galeri|sanat/i,
  theatre: /theat(re|er)|opera|playhouse|auditorium|cinema|concert hall|performing arts center/i,
  cinema: /cinema|theat(re|er)s?\b|imax|drive-in|multiplex|sinema/i,
  park: /\bparks?\b|trail|open space|\bparc\b|wetlands|preserve/i,
  garden: /garden|grdn|arboretum|aquarium|zoo|sanctuary|ocean ctr/i,
  theme_park:
    /theme p|fun (park|center|factory)|amusement|adventure|skydiving|raceway|grand prix|roller coaster|beach/i,
  attraction: /garden|arboretum|museum|village|glacier|kauri|cave|thermal|historic|aquarium|adventure|bridge/i,
  airport: /airport|a[eé]roport|lufthavn|havaliman|airfield|aerodrome/i,
  ski_area: /\bski (area|field|resort)|snow park/i,
  marina: /marina\b|yacht club|boat harbour/i,
  golf_course: /golf (club|course|links)|country club|\bgc\b/i,
  winery: /winery|vineyard|wines?\b|cellar/i,
  casino: /casino/i,
  campground: /camp|holiday park|rv park|rv resort/i,
  brewery: /brew/i,
  hotel:
    /h[oô]tel|\binns?\b|motel|lodge|resort|suites|hostel|palas|best western|ibis|novotel|mercure|marriott|hilton|holiday|chalet|hostellerie|auberge|apartments|backpackers|campanile|formule|sofitel|sheraton|hyatt/i,
  spa: /\bspa\b|thermal|hot springs/i,
}

/** Company forms and words that mark an office, a factory or a wholesaler rather than a place to visit. */
const company =
  /(^|\s)(s\.?a\.?(s|r\.?l)?\.?|sarl|sas|snc|eurl|a\/s|aps|i\/s|pvt\.?|ltd\.?|ltd\.?sti\.?|san\.?|tic\.?|a\.s\.?|inc|llc|corp|gmbh)$|\b(ltd\.? ?sti|san\. ?ve|nakliyat|industri|entreprise|distribut|wholesale|suppl|equipment|engineering|consult|montage|piano|photo|rent a car)/i
const unfit = /stripper|escort|gentlem|palomino club|crazy horse|babes|hard ?bodies|adult|mates\b|xxx/i
/** Replacement characters: the directory lost letters of some alphabets, as in `Kili?oglu`. */
const lostLetters = /[?�]/

/** Names of French restaurants: the directory also lists French wholesalers and their owners as restaurants. */
const frenchTable =
  /restau|brasserie|caf[eé]|pizz|bistro|cr[eê]perie|grill|auberge|taverne|boulanger|p[aâ]tisser|\bbar\b/i
const eating = new Set(['restaurant', 'cafe', 'bar', 'bakery', 'fast_food', 'winery', 'brewery'])

const dropped = new Set(['tour_operator', 'nightlife', 'lodging'])

/** Returns true if a row belongs in the sample: every row except unsuitable ones of the business directory. */
export function isPresentable(place: Place): boolean {
  if (place.source === 'wikidata') return /^Q\d+$/.test(place.source_id)
  if (place.source !== 'whosonfirst') return true
  if (dropped.has(place.category) || lostLetters.test(place.name) || unfit.test(place.name)) return false
  if (place.name.length < 3 || company.test(place.name)) return false
  if (place.country === 'FR' && eating.has(place.category) && !frenchTable.test(place.name)) return false
  return nameSays[place.category]?.test(place.name) ?? true
}
