import { isBigram, tokens } from '../../kit/tokens.ts'

/**
 * Words and phrases for categories in English, Spanish, French, German, Italian, Portuguese, Dutch, Polish, Swedish,
 * Turkish, Russian, Chinese, Japanese and Korean, in singular and plural. Keys are top-level categories or category
 * ids; values are phrases separated by ", ".
 */
const words: Readonly<Record<string, string>> = {
  HOTEL:
    'hotel, hotels, hoteles, hôtel, hôtels, alberghi, albergo, hotéis, hotele, hotell, oteller, otelleri, otel, отель, отели, гостиница, гостиницы, 酒店, 旅館, ホテル, 호텔, ' +
    'accommodation, accommodations, lodging, alojamiento, alojamientos, hébergement, unterkunft, unterkünfte, alloggio, alloggi, alojamento, noclegi, boende, konaklama, ' +
    'where to stay, places to stay, dónde dormir',
  RESTAURANT:
    'restaurant, restaurants, restaurante, restaurantes, ristorante, ristoranti, restauracja, restauracje, restaurang, restauranger, restoran, restoranlar, restoranları, ресторан, рестораны, 餐厅, 餐廳, 饭店, レストラン, 식당, 레스토랑, 맛집, ' +
    'places to eat, where to eat, dónde comer, où manger, dove mangiare, onde comer, gaststätte, gaststätten, eetgelegenheden, yemek',
  ATTRACTION:
    'attraction, attractions, sights, things to do, what to do, what to see, what to visit, places to visit, places to see, qué hacer, qué visitar, cosas que hacer, was tun, was kann man machen, cosa fare, cosa visitare, wat te doen, atracción, atracciones, qué ver, lugares turísticos, à voir, que voir, quoi voir, que faire, quoi faire, sehenswürdigkeit, sehenswürdigkeiten, attrazione, attrazioni, cosa vedere, atração, atrações, o que fazer, bezienswaardigheden, atrakcje, sevärdheter, gezilecek yerler, достопримечательности, 景点, 景點, 観光, 観光地, 관광지, 명소',
  hostel:
    'hostel, hostels, albergue, albergues, auberge de jeunesse, auberges de jeunesse, jugendherberge, jugendherbergen, ostello, ostelli, schronisko, vandrarhem, хостел, хостелы, 青年旅舍, ホステル, 호스텔',
  guesthouse:
    'guesthouse, guesthouses, guest house, hostal, hostales, pension, pensiones, pensión, gästehaus, casa de huéspedes, maison d’hôtes, 民宿, ゲストハウス, 게스트하우스',
  bed_and_breakfast: 'bed and breakfast, b&b, bnb, chambre d’hôtes, chambres d’hôtes',
  campground:
    'campground, campgrounds, campsite, campsites, camping, campings, campeggio, campeggi, campingplatz, campingplätze, campsites, camping site, camping sites, camp site, camp sites, parque de campismo, parques de campismo, terrain de camping, terrains de camping',
  cafe: 'cafe, cafes, café, cafés, coffee, coffee shop, coffee shops, cafetería, cafeterías, kaffee, caffè, kawiarnia, kawiarnie, kafe, kahve, кафе, кофейня, 咖啡, 咖啡馆, カフェ, 喫茶店, 카페',
  bar: 'bar, bars, bares, pubs, bary, barer, barlar, barları, бар, бары, 酒吧, バー, 술집',
  pub: 'pub, pubs, pubben, puby, паб, пабы',
  bakery:
    'bakery, bakeries, panadería, panaderías, boulangerie, boulangeries, bäckerei, bäckereien, panificio, panifici, padaria, padarias, bakkerij, piekarnia, bageri, fırın, пекарня, 面包店, パン屋, 빵집',
  fast_food: 'fast food, comida rápida, imbiss, imbisse, restauration rapide',
  museum:
    'museum, museums, museo, museos, musée, musées, museen, musei, museu, museus, musea, muzeum, muzea, museer, müze, müzeler, müzeleri, музей, музеи, 博物馆, 博物館, 美術館, 박물관',
  gallery:
    'gallery, galleries, galería, galerías, galerie, galeries, galleria, gallerie, galeria, galerias, galerii, галерея, 画廊, ギャラリー, 미술관',
  monument:
    'monument, monuments, monumento, monumentos, denkmal, denkmäler, monumenti, pomnik, pomniki, anıt, памятник, памятники, 纪念碑',
  theatre:
    'theatre, theatres, theater, theaters, teatro, teatros, théâtre, théâtres, teatri, teatr, teatry, tiyatro, театр, театры, 剧院, 劇場, 극장',
  cinema:
    'cinema, cinemas, cine, cines, cinéma, cinémas, kino, kinos, kina, biograf, sinema, кино, кинотеатр, 电影院, 映画館, 영화관',
  park: 'park, parks, parque, parques, parc, parcs, parchi, parco, parken, parki, parker, parklar, parkları, парк, парки, 公园, 公園, 공원',
  beach:
    'beach, beaches, playa, playas, plage, plages, strand, strände, spiaggia, spiagge, praia, praias, stranden, plaża, plaże, plaj, пляж, пляжи, 海滩, ビーチ, 해변',
  castle:
    'castle, castles, castillo, castillos, château, châteaux, schloss, schlösser, burg, burgen, castello, castelli, castelo, castelos, kasteel, kastelen, zamek, zamki, slott, kale, замок, замки, 城堡, 城, 성',
  church:
    'church, churches, iglesia, iglesias, église, églises, kirche, kirchen, chiesa, chiese, igreja, igrejas, kerk, kerken, kościół, kościoły, kyrka, kyrkor, kilise, церковь, церкви, 教堂, 教会, 교회',
  zoo: 'zoo, zoos, zoológico, zoológicos, tierpark, zoologico, dierentuin, djurpark, hayvanat bahçesi, зоопарк, 动物园, 動物園, 동물원',
  golf_course:
    'golf, golf course, golf courses, campo de golf, campos de golf, terrain de golf, terrains de golf, parcours de golf, campo da golf, campi da golf, campo de golfe, campos de golfe, golfbaan, golfbanen, golfbana, golfbanor, pole golfowe, golfplatz, golfplätze, 高尔夫, ゴルフ場, 골프장',
  spa: 'spa, spas, balneario, balnearios, therme, thermen, terme, термы, 温泉',
  nightlife:
    'nightlife, night club, night clubs, nightclub, nightclubs, clubs, discoteca, discotecas, vida nocturna, nachtclub, discothèque, 夜店, ナイトクラブ, 클럽',
  airport:
    'airport, airports, international airport, intl airport, int’l airport, aeropuerto internacional, aéroport international, internationaler flughafen, aeroporto internazionale, aeroporto internacional, aeropuerto, aeropuertos, aéroport, aéroports, flughafen, flughäfen, aeroporto, aeroporti, aeroportos, luchthaven, lotnisko, lotniska, flygplats, havalimanı, аэропорт, аэропорты, 机场, 機場, 空港, 공항',
  railway_station:
    'station, stations, railway station, railway stations, train station, train stations, estación de tren, estaciones de tren, gare, gares, bahnhof, bahnhöfe, stazione, stazioni, estação, estações, treinstation, dworzec, järnvägsstation, tren istasyonu, вокзал, вокзалы, 火车站, 駅, 기차역',
}

/** Prepositions between a category and an area ("hotels in Madrid"), in the same languages, folded. */
const connectives = new Set(
  'in at near around en cerca de del dans a à au aux pres près im am bei nahe nella nel nei a vicino em no na perto te bij w we koło i nära yakin yakın в во на около'
    .split(' ')
    .flatMap(tokens),
)

/** Category ids by phrase; a phrase is its tokens joined by a space. */
export const categoryPhrases: ReadonlyMap<string, readonly string[]> = phrases()

const firstTokens = new Set([...categoryPhrases.keys()].map(phrase => phrase.split(' ', 1)[0]!))

/** Returns true if a phrase of `categoryPhrases` begins with a token. */
export const beginsCategoryPhrase = (token: string): boolean => firstTokens.has(token)

/** Number of tokens in the longest phrase. */
export const longestCategoryPhrase = Math.max(...[...categoryPhrases.keys()].map(phrase => phrase.split(' ').length))

/** Phrases in scripts without spaces between words. */
export const unspacedCategories: readonly string[] = Object.values(words)
  .flatMap(list => list.split(', '))
  .filter(isBigram)

/** Checks for a preposition that may connect a category with an area. */
export const isConnective = (token: string): boolean => connectives.has(token)

/** Inverts `words`: the category ids of each phrase. */
function phrases(): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const [id, list] of Object.entries(words)) {
    for (const phrase of list.split(', ')) {
      const key = tokens(phrase).join(' ')
      const ids = found.get(key)
      if (ids === undefined) found.set(key, [id])
      else if (!ids.includes(id)) ids.push(id)
    }
  }
  return found
}
