import type { TripType } from '../../domain/review.ts'
import { isBigram, tokens } from '../../kit/tokens.ts'

/**
 * Words of queries that name nothing, in English, Spanish, French, German, Italian, Portuguese, Dutch, Polish,
 * Swedish, Turkish, Russian, Chinese, Japanese and Korean. Values are phrases separated by ", ".
 */

/** Phrases that only ask. */
const asking =
  'show, show me, find, find me, give me, i want, i want to go to, i want to go, i want to visit, i want to see, i want to eat, i would like to go to, i would like, i d like, i need, i am looking for, i m looking for, im looking for, looking for, searching for, search, search for, where, where is, where are, where s, where can i find, where can i get, where to find, take me to, go to, how to get to, how do i get to, directions to, directions, navigate to, list of, what is, what are, which, can you find, recommend, recommend me, please, some, any, opening hours, opening times, hours, phone number, phone, reviews, tickets, tickets for, entrance fee, best way to see, best way to get to, website, menu, a, an, the, my, our, me, i, want, places, place, places for, spot, spots, somewhere, anywhere, good places for, location of, address of, map of, map, visit, what, is, are, there, for, with, to, that, have, has, ' +
  'muéstrame, mostrar, muestra, buscar, busco, búscame, encontrar, encuentra, encuéntrame, dónde, dónde está, dónde están, dónde hay, dónde puedo encontrar, quiero, quiero ir a, quiero ir, quisiera, necesito, estoy buscando, cómo llegar a, llévame a, por favor, algún, alguna, algunos, un, una, unos, unas, el, la, los, las, lugares, sitios, para, con, entradas, entradas para, horario, horarios, teléfono, ' +
  'montre moi, montrez moi, trouve, trouver, trouve moi, cherche, je cherche, chercher, où, où est, où sont, où se trouve, où trouver, je veux, je veux aller à, je voudrais, je voudrais aller à, j ai besoin de, comment aller à, s il vous plaît, un, une, des, les, le, lieux, endroits, pour, avec, horaires, horaires d ouverture, billets, téléphone, ' +
  'zeig mir, zeige mir, zeigen sie mir, finde, finden, such, suche, ich suche, suche nach, wo, wo ist, wo sind, wo finde ich, wo gibt es, wo kann ich, ich möchte, ich möchte nach, ich will, ich will nach, ich brauche, wie komme ich zu, wie komme ich nach, bitte, ein, eine, einen, einem, einer, der, die, das, für, mit, orte, öffnungszeiten, eintritt, eintrittspreise, telefonnummer, bewertungen, ' +
  'mostrami, trova, trovami, cerca, cerco, dove, dov è, dove si trova, dove sono, dove trovare, dove posso trovare, voglio, voglio andare a, vorrei, vorrei andare a, ho bisogno di, come arrivare a, per favore, un, una, uno, dei, delle, il, lo, gli, posti, per, con, orari, orari di apertura, biglietti, ' +
  'mostre me, mostra me, encontre, encontrar, procurar, procuro, estou procurando, onde, onde fica, onde está, onde encontrar, onde posso encontrar, quero, quero ir para, quero ir a, gostaria de, preciso de, como chegar a, por favor, um, uma, uns, umas, os, as, lugares, com, para, ' +
  'toon, toon mij, laat me zien, vind, zoek, ik zoek, op zoek naar, waar, waar is, waar zijn, waar vind ik, waar kan ik, ik wil, ik wil naar, ik wil graag, ik heb nodig, alstublieft, een, het, de, voor, met, ' +
  'pokaż, pokaż mi, znajdź, szukam, szukaj, gdzie, gdzie jest, gdzie są, gdzie znajdę, chcę, chcę iść do, potrzebuję, jak dojechać do, proszę, dla, z, ' +
  'visa, visa mig, hitta, sök, jag söker, letar efter, var, var är, var finns, var hittar jag, jag vill, jag vill åka till, jag behöver, snälla, en, ett, för, med, ' +
  'göster, bana göster, bul, arıyorum, ara, nerede, nerededir, nerede bulabilirim, istiyorum, gitmek istiyorum, lütfen, bir, için, ile, ' +
  'покажи, покажи мне, покажите, найди, найти, найдите, ищу, поиск, где, где находится, где находятся, где найти, хочу, хочу в, хочу поехать в, мне нужен, мне нужна, как добраться до, как доехать до, пожалуйста, для, с, ' +
  '我想, 我想去, 我要, 我要去, 想去, 找, 寻找, 搜索, 哪里, 哪里有, 在哪里, 哪儿, 哪儿有, 请问, 怎么去, 推荐, 帮我找, 附近有, ' +
  'を探す, を探して, 探す, 探して, どこ, はどこ, どこですか, に行きたい, 行きたい, 教えて, を教えて, おすすめ, おすすめの, ' +
  '찾아줘, 찾기, 찾다, 보여줘, 알려줘, 어디, 어디야, 어디에, 어디에요, 가고 싶어, 가고 싶다, 추천, 추천해줘'

/** Phrases that praise. */
const praise =
  'best, the best, top, top rated, best rated, highly rated, highest rated, well rated, most popular, popular, famous, most famous, well known, good, great, nice, nicest, cool, coolest, awesome, amazing, beautiful, most beautiful, lovely, excellent, perfect, recommended, must see, must visit, number one, top 10, top ten, 10 best, interesting, fun, cosy, cozy, hidden gem, hidden gems, ' +
  'mejor, mejores, el mejor, los mejores, las mejores, bueno, buena, buenos, buenas, bonito, bonita, bonitos, famoso, famosa, famosos, popular, populares, recomendado, recomendados, más populares, más famosos, ' +
  'meilleur, meilleure, meilleurs, meilleures, le meilleur, les meilleurs, bon, bonne, bons, bonnes, beau, belle, beaux, belles, joli, jolis, célèbre, célèbres, populaire, populaires, recommandé, ' +
  'beste, besten, bester, bestes, die besten, das beste, gut, gute, guter, gutes, guten, schön, schöne, schöner, schönes, schönsten, berühmt, berühmte, beliebt, beliebte, beliebteste, empfohlen, empfohlene, ' +
  'migliore, migliori, i migliori, le migliori, buono, buona, buoni, bello, bella, belli, famoso, famosi, popolare, popolari, consigliati, ' +
  'melhor, melhores, os melhores, as melhores, bom, boa, bons, boas, lindo, bonito, famoso, famosos, recomendados, ' +
  'goed, goede, leuk, leuke, mooi, mooie, mooiste, beroemd, beroemde, populair, populaire, aanbevolen, ' +
  'najlepszy, najlepsza, najlepsze, dobry, dobra, dobre, ładny, piękny, znany, znane, popularny, popularne, polecane, ' +
  'bästa, bäst, bra, fin, fina, känd, kända, populära, ' +
  'en iyi, iyi, güzel, ünlü, popüler, ' +
  'лучший, лучшая, лучшее, лучшие, хороший, хорошая, хорошие, красивый, красивые, известный, известные, популярный, популярные, интересные, ' +
  '最好, 最好的, 最佳, 好的, 好吃的, 好玩的, 有名, 有名的, 著名, 著名的, 热门, 漂亮的, 一番, 人気, 人気の, 良い, いい, 美味しい, おいしい, ' +
  '최고, 최고의, 좋은, 유명한, 인기, 예쁜, 맛있는'

/** Phrases that ask for facts about a place, and not for places. */
const topics =
  'weather in, weather for, weather, forecast, temperature in, traffic in, traffic, flights to, flight to, flights, trains to, train to, buses to, time in, current time in, what time is it in, best time to visit, best time to go to, when to visit, how is the weather in, how is, how are, how far is, how big is, population of, history of, guide to, travel guide, city guide, trip to, trips to, vacation in, vacations in, holiday in, holidays in, weekend in, travel to, pictures of, photos of, images of, webcam, distance to, route to, way to, ' +
  'el tiempo en, tiempo en, clima en, clima de, tráfico en, vuelos a, vuelos baratos a, trenes a, qué hora es en, hora en, fotos de, imágenes de, viaje a, viajes a, vacaciones en, fin de semana en, guía de, mapa de, plano de, población de, historia de, cuándo visitar, mejor época para visitar, ' +
  'météo à, météo, quel temps fait il à, climat à, vols pour, vol pour, trains pour, heure à, photos de, images de, voyage à, voyages à, vacances à, week end à, guide de, carte de, plan de, population de, histoire de, quand visiter, meilleure période pour visiter, ' +
  'wetter in, wetter, wie ist das wetter in, verkehr in, flüge nach, flug nach, züge nach, zug nach, uhrzeit in, fotos von, bilder von, reise nach, reisen nach, urlaub in, wochenende in, reiseführer, stadtplan, karte von, einwohner von, geschichte von, beste reisezeit, wann nach, ' +
  'meteo a, meteo, che tempo fa a, clima a, voli per, treni per, ora a, foto di, immagini di, viaggio a, viaggi a, vacanze a, weekend a, guida di, mappa di, popolazione di, storia di, quando visitare, ' +
  'tempo em, clima em, previsão do tempo em, trânsito em, voos para, passagens para, comboios para, trens para, imagens de, viagem para, viagens para, férias em, guia de, população de, história de, quando visitar, ' +
  'weer in, het weer in, verkeer in, vluchten naar, vlucht naar, treinen naar, tijd in, foto s van, reis naar, reizen naar, vakantie in, weekend in, kaart van, plattegrond van, inwoners van, geschiedenis van, ' +
  'pogoda w, pogoda, korki w, loty do, pociągi do, godzina w, zdjęcia, wycieczka do, wycieczki do, wakacje w, weekend w, przewodnik po, mapa, ' +
  'väder i, vädret i, flyg till, tåg till, klockan i, bilder på, resa till, resor till, semester i, weekend i, karta över, ' +
  'hava durumu, uçak bileti, uçak biletleri, uçuşları, saat kaç, fotoğrafları, gezisi, tatili, haritası, rehberi, ' +
  'погода в, погода, пробки в, рейсы в, авиабилеты в, билеты в, поезда в, время в, фото, фотографии, поездка в, отдых в, выходные в, путеводитель, карта, население, история, ' +
  '天气, 天氣, 机票, 機票, 航班, 地图, 地圖, 照片, 旅游, 旅遊, 旅游攻略, 攻略, 自由行, ' +
  'の天気, 天気, 航空券, フライト, 地図, 写真, 旅行, ' +
  '날씨, 항공권, 비행기표, 지도, 사진, 여행'

/** Moods and properties that no record has as a fact. */
const moods =
  'quiet, calm, peaceful, relaxing, relaxed, romantic, charming, clean, modern, stylish, elegant, trendy, hip, small, big, large, comfortable, friendly, traditional, authentic, typical, local, central, centrally located, unique, unusual, quirky, lively, 24 hour, 24 hours, 24h, open 24 hours, 24 horas, 24 heures, 24 stunden, 24 ore, 24 uur, ' +
  'tranquilo, tranquila, tranquilos, tranquilas, romántico, romántica, románticos, románticas, con encanto, acogedor, acogedora, acogedores, moderno, moderna, modernos, limpio, limpios, pequeño, pequeños, céntrico, céntricos, típico, típica, típicos, típicas, auténtico, auténticos, tradicional, tradicionales, original, originales, ' +
  'calme, calmes, tranquille, tranquilles, romantique, romantiques, charmant, charmants, charmante, moderne, modernes, propre, propres, petit, petits, petite, typique, typiques, authentique, authentiques, traditionnel, traditionnels, insolite, insolites, branché, branchés, chaleureux, ' +
  'ruhig, ruhige, ruhiger, ruhiges, ruhigen, romantisch, romantische, romantisches, romantischer, romantischen, gemütlich, gemütliche, gemütliches, gemütlichen, moderne, modernes, modernen, sauber, saubere, sauberes, klein, kleine, kleines, zentral, zentrale, zentrales, typisch, typische, typisches, authentisch, authentische, traditionell, traditionelle, charmante, besondere, ausgefallene, ' +
  'tranquillo, tranquilla, tranquilli, romantico, romantica, romantici, accogliente, accoglienti, moderni, pulito, puliti, piccolo, piccoli, centrale, centrali, tipico, tipica, tipici, tipiche, autentico, autentici, tradizionale, tradizionali, particolare, particolari, ' +
  'romântico, romântica, românticos, aconchegante, aconchegantes, limpo, limpos, centrais, autêntico, autênticos, tradicionais, diferente, diferentes, ' +
  'rustig, rustige, romantische, gezellig, gezellige, schone, kleine, typische, authentieke, traditionele, bijzondere, ' +
  'cichy, cicha, ciche, spokojny, spokojne, romantyczny, romantyczna, romantyczne, przytulny, przytulna, przytulne, nowoczesny, nowoczesne, klimatyczny, klimatyczna, klimatyczne, tradycyjny, tradycyjne, ' +
  'lugn, lugna, romantiska, mysig, mysiga, moderna, traditionella, charmiga, ' +
  'sessiz, sakin, romantik, şirin, geleneksel, ' +
  'тихий, тихая, тихие, спокойный, спокойные, романтический, романтичный, романтические, романтичные, уютный, уютная, уютные, современный, современные, традиционный, традиционные, необычные, ' +
  '安静的, 浪漫的, 舒适的, 干净的, 特色, ' +
  '静かな, ロマンチックな, おしゃれな, きれいな, ' +
  '조용한, 로맨틱한, 분위기 좋은'

/** Preferences that raise places that agree, and take nothing from others. */
const wantPhrases = {
  CHEAP:
    'cheap, cheaper, cheapest, budget, affordable, inexpensive, low cost, low budget, barato, barata, baratos, baratas, económico, económica, económicos, pas cher, pas chère, pas chers, bon marché, économique, billig, billige, billiger, billiges, günstig, günstige, günstiger, günstiges, preiswert, preiswerte, economico, economica, economici, a buon mercato, econômico, goedkoop, goedkope, tani, tania, tanie, billigt, billiga, ucuz, дешевый, дешёвый, дешевая, дешевые, дешёвые, недорогой, недорогие, 便宜, 便宜的, 平价, 安い, 格安, 싼, 저렴한',
  MODERATE: 'mid range, midrange, moderate, moderately priced, mid priced, gama media, mittelklasse',
  EXPENSIVE:
    'expensive, upscale, fancy, posh, high end, caro, caros, cher, chers, chic, teuer, teure, vornehm, costoso, costosi, duur, dure, drogi, drogie, dyr, dyra, pahalı, дорогой, дорогие, 高级, 高档, 高級, 고급',
  LUXURY:
    'luxury, luxurious, deluxe, de luxe, lujo, de lujo, lujoso, lujosos, luxe, luxueux, luxus, luxuriös, luxuriöse, lusso, di lusso, luxo, de luxo, luxueus, luxueuze, luksus, luksusowy, luksusowe, lyx, lyxig, lyxiga, lüks, люкс, роскошный, роскошные, 豪华, 奢华, 豪華, ラグジュアリー, 럭셔리, 호화',
  openNow:
    'open now, open today, open late, currently open, abierto ahora, abiertos ahora, abierta ahora, ouvert maintenant, ouverts maintenant, ouvert aujourd hui, jetzt geöffnet, jetzt offen, heute geöffnet, aperto ora, aperti ora, aberto agora, abertos agora, nu open, teraz otwarte, otwarte teraz, öppet nu, şimdi açık, открыто сейчас, сейчас открыто, работает сейчас, 现在营业, 营业中, 営業中, 지금 영업중, 영업중',
  nearMe:
    'near me, nearby, close to me, close by, around me, around here, near here, in my area, in the area, next to me, cerca de mí, cerca, cerca de aquí, près de moi, à proximité, autour de moi, près d ici, in meiner nähe, in der nähe, hier in der nähe, um mich, vicino a me, qui vicino, nei dintorni, perto de mim, aqui perto, in de buurt, bij mij in de buurt, dichtbij, w pobliżu, blisko mnie, nära mig, i närheten, yakınımda, yakınımdaki, yakındaki, рядом, рядом со мной, поблизости, возле меня, 附近, 我附近, 附近的, 近く, この近く, 근처, 내 근처, 주변',
} as const

/** Phrases for the company of a trip. Single words ("romantic") are moods, or part of a name. */
const tripPhrases: Readonly<Record<Exclude<TripType, 'NONE'>, string>> = {
  FAMILY:
    'with kids, for kids, with children, for children, with family, for families, family friendly, kid friendly, child friendly, con niños, para niños, para familias, familiar, avec enfants, avec des enfants, pour enfants, en famille, mit kindern, für kinder, für familien, familienfreundlich, familienfreundliche, kinderfreundlich, con bambini, per bambini, per famiglie, com crianças, para crianças, para famílias, met kinderen, voor kinderen, kindvriendelijk, kindvriendelijke, z dziećmi, dla dzieci, med barn, för barn, barnvänlig, barnvänliga, çocuklu, çocuklar için, с детьми, для детей, 亲子, 带孩子, 子連れ, 家族向け, 아이와, 가족',
  COUPLES:
    'for couples, for a couple, for two, for honeymoon, for honeymooners, couples only, adults only, para parejas, en pareja, para dos, luna de miel, pour couples, pour un couple, en couple, pour deux, en amoureux, lune de miel, für paare, für pärchen, für zwei, zu zweit, für verliebte, flitterwochen, per coppie, per coppia, in coppia, per due, luna di miele, para casais, para casal, a dois, lua de mel, voor koppels, voor stellen, voor twee, huwelijksreis, dla par, dla pary, dla dwojga, we dwoje, för par, för två, çiftler için, çiftlere özel, balayı, для двоих, для пары, для пар, вдвоем, 情侣, 情侶, 蜜月, カップル, カップル向け, 커플, 연인',
  BUSINESS:
    'for business, for business travel, for business travelers, for business travellers, on business, business trip, para negocios, de negocios, viaje de negocios, pour affaires, d affaires, voyage d affaires, für geschäftsreisende, geschäftsreise, dienstreise, per affari, per lavoro, viaggio di lavoro, a trabalho, viagem de negócios, zakenreis, voor zakenreizigers, służbowo, w podróży służbowej, affärsresa, iş seyahati, iş gezisi, для деловых поездок, для командировки, в командировке, 商务, 商務, 出差, 出張, ビジネス, 비즈니스, 출장',
  FRIENDS:
    'with friends, with mates, for groups, for a group, for groups of friends, con amigos, para grupos, entre amis, avec des amis, pour groupes, mit freunden, für gruppen, con amici, per gruppi, com amigos, met vrienden, voor groepen, ze znajomymi, z przyjaciółmi, dla grup, med vänner, för grupper, arkadaşlarla, gruplar için, с друзьями, для компании, для групп, 和朋友, 朋友聚会, 友達と, 친구와',
  SOLO: 'for solo travelers, for solo travellers, for one person, travelling alone, traveling alone, para viajeros solos, para una persona, pour voyageur seul, für alleinreisende, für eine person, per chi viaggia da solo, para quem viaja sozinho, voor alleenreizigers, dla jednej osoby, för ensamresenärer, tek kişilik, для одного, 独自旅行, 一人旅, 나홀로',
}

/** Amenities after "with"; each raises places that have one of the phrases among their labels. */
const amenities: readonly string[] = [
  'pool, swimming pool, piscina, piscine, schwimmbad, zwembad, basen, basenem, havuz, havuzlu, бассейн, бассейном, 泳池, 游泳池, プール, 수영장',
  'parking, free parking, car park, aparcamiento, estacionamiento, stationnement, parkplatz, parkplätzen, parcheggio, estacionamento, parkeren, parkering, otopark, парковка, парковкой, 停车场, 駐車場, 주차장',
  'wifi, wi fi, free wifi, wlan, internet',
  'breakfast, desayuno, petit déjeuner, frühstück, colazione, ontbijt, śniadaniem, frukost, kahvaltı, завтраком, 早餐, 朝食, 조식',
  'terrace, terraza, terrasse, terrazza, terras, rooftop, outdoor seating',
  'view, a view, views, sea view, vistas, vue, aussicht, meerblick, vista',
  'gym, fitness, gimnasio, salle de sport, fitnessstudio, palestra',
  'pets, pet friendly, dog friendly, dogs, mascotas, animaux, hunden, haustieren, animali, cani',
  'wheelchair, wheelchair accessible, wheelchair access, accessible, barrierefrei, accesible',
]
/** Words before an amenity, folded. */
export const withWords: ReadonlySet<string> = new Set(['with', 'con', 'avec', 'mit', 'com', 'met', 'z', 'med', 'с'])
const beforeAmenities = ['', ...withWords, 'with a', 'with free']

/** Numbers of stars from one to five, and the words behind them, by language; digits are in all. */
const starWords: readonly (readonly [numbers: string, stars: string])[] = [
  ['one two three four five', 'star stars'],
  ['una dos tres cuatro cinco', 'estrella estrellas'],
  ['une deux trois quatre cinq', 'étoile étoiles'],
  ['ein/einem zwei drei vier fünf', 'stern sterne sternen'],
  ['una due tre quattro cinque', 'stella stelle'],
  ['uma duas três quatro cinco', 'estrela estrelas'],
  ['een twee drie vier vijf', 'ster sterren'],
  [
    'jedna/jedno dwie/dwu trzy cztery/cztero pięć/pięcio',
    'gwiazdka gwiazdki gwiazdek gwiazdkowy gwiazdkowe gwiazdkowych',
  ],
  ['en/ett två tre fyra fem', 'stjärna stjärnor stjärnig stjärnigt stjärniga'],
  ['bir/tek iki üç dört beş', 'yıldız yıldızlı'],
  [
    'одна/одно две/двух три/трех четыре/четырех пять/пяти',
    'звезда звезды звезд звездочный звездочная звездочные звездочных звездочном',
  ],
  ['一 二/两/兩 三 四 五', '星 星级 星級 つ星'],
  ['일 이 삼 사 오', '성급'],
]

/** Meaning of a phrase that names nothing. */
export type QueryPhrase =
  | { readonly kind: 'asking' | 'praise' | 'openNow' | 'nearMe' }
  | { readonly kind: 'price'; readonly level: 'CHEAP' | 'MODERATE' | 'EXPENSIVE' | 'LUXURY' }
  | { readonly kind: 'stars'; readonly stars: number }
  | { readonly kind: 'trip'; readonly type: TripType }
  | { readonly kind: 'amenity'; readonly label: string }

const phrases = collectPhrases()
const firstTokens = new Set([...phrases.keys()].map(phrase => phrase.split(' ', 1)[0]!))

/** Number of tokens in the longest phrase. */
export const longestQueryPhrase = Math.max(...[...phrases.keys()].map(phrase => phrase.split(' ').length))

/** Returns the meaning of a phrase, its tokens joined by a space. */
export const queryPhrase = (phrase: string): QueryPhrase | undefined => phrases.get(phrase)

/** Phrases for each amenity, as tokens, by the first word of the first one. */
const formsOfAmenities = new Map(
  amenities.map(list => {
    const forms = list.split(', ').map(tokens)
    return [forms[0]![0]!, forms] as const
  }),
)

/** Returns the phrases that labels have for an amenity, as tokens. */
export const amenityForms = (label: string): readonly (readonly string[])[] => formsOfAmenities.get(label) ?? [[label]]

/** Returns true if a phrase begins with a token. */
export const beginsQueryPhrase = (token: string): boolean => firstTokens.has(token)

/** Phrases in scripts without spaces between words. */
export const unspacedQueryPhrases: readonly string[] = [
  ...[asking, topics, praise, moods],
  ...Object.values(wantPhrases),
  ...Object.values(tripPhrases),
].flatMap(list => list.split(', ').filter(isBigram))

function collectPhrases(): Map<string, QueryPhrase> {
  const found = new Map<string, QueryPhrase>()
  const add = (list: string, meaning: QueryPhrase) => {
    for (const phrase of list.split(', ')) {
      const key = tokens(phrase).join(' ')
      if (key !== '' && !found.has(key)) found.set(key, meaning)
    }
  }
  const { openNow, nearMe, ...prices } = wantPhrases
  for (const [level, list] of Object.entries(prices)) add(list, { kind: 'price', level: level as keyof typeof prices })
  add(openNow, { kind: 'openNow' })
  add(nearMe, { kind: 'nearMe' })
  for (const [type, list] of Object.entries(tripPhrases)) add(list, { kind: 'trip', type: type as TripType })
  for (const list of amenities) {
    const [label] = tokens(list.split(', ', 1)[0]!)
    for (const word of list.split(', '))
      for (const before of beforeAmenities)
        if (before !== '' || word.includes(' ')) add(`${before} ${word}`, { kind: 'amenity', label: label! })
  }
  for (const [phrase, stars] of starPhrases()) add(phrase, { kind: 'stars', stars })
  add(praise, { kind: 'praise' })
  add(moods, { kind: 'praise' })
  add(asking, { kind: 'asking' })
  add(topics, { kind: 'asking' })
  return found
}

/** Returns the phrases for numbers of stars; compounds are written with and without a space. */
function* starPhrases(): Generator<readonly [phrase: string, stars: number]> {
  for (const [numbers, words] of starWords) {
    for (const [i, forms] of numbers.split(' ').entries()) {
      const all = [String(i + 1), ...forms.split('/')]
      for (const star of words.split(' ')) {
        for (const number of all) {
          yield [`${number} ${star}`, i + 1]
          yield [`${number}${star}`, i + 1]
        }
      }
    }
  }
}
