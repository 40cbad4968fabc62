import type { Aspect } from './phrases.ts'
import type { Place } from './place.ts'

/** Aspects that reviews of each kind of sight mention; repeated ones are more frequent. */
export const aspectsOf = {
  museum: 'collection collection building queue guide family rain price access clean staff atmosphere location',
  palace: 'building building view queue guide family romantic price access clean staff atmosphere location',
  tower: 'view view queue family romantic price access clean staff atmosphere location',
  garden: 'nature nature view family romantic access clean atmosphere location',
  animals: 'animals animals queue family price access clean staff atmosphere location',
  temple: 'building building guide access clean atmosphere location',
  landmark: 'building view romantic guide access clean atmosphere location',
} as const satisfies Record<string, string>
export type SightKind = keyof typeof aspectsOf

export const aspectList = (kind: SightKind): Aspect[] => aspectsOf[kind].split(' ') as Aspect[]

/** Graves, memorials and places of suffering: the sample has no invented opinions about them. */
const solemn =
  '\\bbomb[^i] memorial memoriei anitkabir vogelenzang victim cimet cement cemet friedhof guerr \\bwar\\b \\barm[ye] armee militar paix peace yasukuni yushukan ' +
  'cenotaph genbaku sanno holocaust 11-m covid pandemia resist gandhi fusilles juif synag panteon heroes hospice enfer inquisi'
/** Offices, schools, companies and streets, likewise. */
const working =
  'hospital hopital colegio college school institut escuela facultad universi academia campus seminario embajada ' +
  'ministerio tribunal consejo conseil cour.europ police policia douanes zollmuseum bourse bolsa banco estacion \\bgare\\b station ' +
  'emisor viviendas sede.de cuartel junta residencia deposito asilo bomberos archivo servicio edificio torres estudio ' +
  'torre.(de.avenida|caleido|pwc|cepsa|titania|europa|picasso|del.complejo|de.san) congresos ifema recinto complejo ' +
  'compania casa.comercial estadio stadium coliseum wizink caja.magica hotel raffles$ parkroyal quartier district dokan ' +
  'gajoen center.gai yonge market marche marina.bay.sands interlace reflections raffles.statue salon.de.reinos torre.(de.(cristal|madrid)|emperador) nakagin ntt palais.des.congres'
/** Small firms, likewise. */
const firms =
  'sweet.space illusions legends robot grassy virtual bowling skydiving madrid.fly meeu esports latency micropolix ' +
  'amazonia tirolinas pino.a.pino snowzone magic.forest'
const unfit = new RegExp(`${solemn} ${working} ${firms}`.split(' ').join('|').replaceAll('.', '\\s'))

/** Patterns for names in lower case without accents; the first match determines the kind. */
const byName: readonly (readonly [SightKind, RegExp])[] = [
  ['garden', /^jardin/],
  ['animals', /\bzoo|aquari|safari|bird park|vogel park|faunia|sea world|aqua world|exploramer|ecozoo|monkey/],
  [
    'museum',
    /musee|museo|museum|muzeum|muzej|muzesi|galer|galler|kunst|pinacot|pinakoth|glypto|planetar|exposi|art house|collections?\b|uffizi|rijks|louvre|pompidou|renommee/,
  ],
  [
    'tower',
    /\btour |tower|\btorre |faro |skytree|skypark|flyer|mirador|telefer|funicul|observatoire|cable car|belvedere/,
  ],
  [
    'temple',
    /temple|templo|sanctuaire|jinja|jingu|-ji\b|dera\b|taisha|cathedr|catedral|iglesia|eglise|church|basili|mosque|mezquita|chapelle|capilla|ermita|monaster|abba|convent|collegiale|stephansdom|hongwan|parroquia|oratorio/,
  ],
  [
    'palace',
    /chateau|castle|palais|palace|palacio|palazz|castillo|\bfort\b|citadel|alhambra|reggia|residence|villa\b|hypogee|tombeau|cite imperiale|pompeii|herculaneum|\bbaths\b|palatine|catacomb|caverne|grottes?\b|casa loma/,
  ],
  [
    'garden',
    /\bparc\b|\bpark\b|parque|jardin|garden|plage|beach|\blac\b|lake|foret|forest|nature|botani|gyoen|-en( |$)|chutes|cascade|dunes|riviere|\bile|island|quinta|casa de campo|rosaleda|estanque|madrid rio|capricho|hortpark|sungei|chek jawa|macritchie/,
  ],
  [
    'landmark',
    /puerta|plaza|\bplace\b|\bpont\b|puente|fuente|fontaine|muralla|holstentor|burgtor|rathaus|hotel de ville|theatre|bridge|esplanade|monumento a (alfonso|cervantes|emilio)|angel caido|gran via|barrio|promenade|speicherstadt|merlion|casa de la|viaducto|arco/,
  ],
]

const reviewed: Readonly<Record<string, readonly string[]>> = {
  wikidata: ['museum', 'attraction'],
  esmadrid: ['museum', 'monument', 'park'],
  sg_tourism: ['attraction'],
}

/** Palaces of Madrid that visitors can enter; most others are offices. */
const openPalace = /palacio (real|de (cristal|liria|velazquez|cibeles))/

/** Returns the kind of sight that a place is; undefined if the sample has no reviews of it. */
export function sightKind(place: Place): SightKind | undefined {
  if (!reviewed[place.source]?.includes(place.category) || place.status === 'CLOSED') return undefined
  const name = place.name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('’', "'")
  if (unfit.test(name)) return undefined
  const kind = byName.find(([, pattern]) => pattern.test(name))?.[0]
  if (kind === 'palace' && place.category === 'monument' && !openPalace.test(name)) return 'landmark'
  return kind ?? (place.category === 'museum' ? 'museum' : undefined)
}
