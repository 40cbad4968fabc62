import { fold } from '../../kit/fold.ts'
import { isBigram, tokens } from '../../kit/tokens.ts'
import { tripForms } from '../text/intent-words.ts'
import { stemOf } from '../text/stems.ts'

/**
 * Ideas that people look for in a place, with the words and phrases for them in English, Spanish, French, German,
 * Italian, Portuguese, Dutch, Polish, Russian, Chinese, Japanese and Korean. After ` | ` are words for the opposite.
 * Endings are left to stems.ts.
 */
const table: Readonly<Record<string, string>> = {
  quiet:
    'quiet, calm, peaceful, tranquil, silent, silence, serene, relax, relaxed, relaxing, unwind, relajarse, relajante, détente, se détendre, entspannen, entspannt, erholung, rilassarsi, rilassante, relaxar, relaxante, ontspannen, отдохнуть, 放松, リラックス, 휴식, tranquilo, tranquila, silencioso, calme, tranquille, paisible, ruhig, leise, tranquillo, silenzioso, sossegado, rustig, cichy, spokojny, тихий, тихо, тихая, спокойно, 安静, 静か, 조용 | noisy, loud, noise, ruidoso, ruidosa, ruido, bruyant, bruit, laut, laute, lärm, rumoroso, rumore, barulhento, barulho, lawaai, luidruchtig, głośno, hałas, шумно, шум, 吵闹, 很吵, うるさ, 騒音, 시끄러',
  clean:
    'clean, spotless, hygienic, limpio, limpia, propre, sauber, gepflegt, pulito, pulita, limpo, limpa, schoon, czysto, czysty, чисто, чистый, 干净, 清潔, きれい, 깨끗 | dirty, filthy, stained, mouldy, moldy, smelly, sucio, sucia, crasseux, schmutzig, dreckig, sporco, sporca, sujo, suja, smerig, brudno, brudny, грязно, грязный, 脏, 汚い, 더러',
  cheap:
    'cheap, affordable, inexpensive, good value, barato, barata, económico, pas cher, abordable, bon marché, günstig, preiswert, billig, economico, goedkoop, betaalbaar, tani, tanio, дешево, недорого, 便宜, 安い, 저렴 | expensive, overpriced, pricey, caro, cher, chère, teuer, duur, drogo, drogi, дорого, 太贵, 高い, 비싸',
  friendly:
    'friendly, welcoming, helpful, kind staff, amable, amables, simpático, accueillant, aimable, sympathique, freundlich, hilfsbereit, nett, gentile, gentili, cordiale, simpático, atencioso, vriendelijk, behulpzaam, miły, uprzejmy, дружелюбно, приветливый, 友好, 热情, 親切, 친절 | rude, unfriendly, unhelpful, antipático, grosero, impoli, désagréable, unfreundlich, unhöflich, scortese, maleducato, rude, onvriendelijk, niemiły, грубый, 冷淡, 無愛想, 불친절',
  central:
    'central, centrally located, city centre, city center, downtown, céntrico, céntrica, centro, centre ville, zentral, zentrum, innenstadt, centrale, centrum, centralnie, центр, центре, 市中心, 中心部, 시내 | remote, far away, out of the way, lejos, loin, abgelegen, weit weg, lontano, longe, ver weg, daleko, далеко, 偏远, 遠い, 멀어',
  safe: 'safe, secure, seguro, segura, sécurité, sicher, sicuro, sicura, veilig, bezpiecznie, безопасно, 安全, 안전 | unsafe, dangerous, sketchy, peligroso, inseguro, dangereux, unsicher, gefährlich, pericoloso, perigoso, onveilig, niebezpiecznie, опасно, 危险, 危ない, 위험',
  spacious:
    'spacious, roomy, large room, big room, amplio, amplia, espacioso, spacieux, spacieuse, geräumig, großes zimmer, spazioso, ampio, espaçoso, ruim, przestronny, просторно, просторный, 宽敞, 広い, 広々, 넓 | tiny, cramped, small room, pequeño, exiguo, minuscule, exigu, winzig, eng, angusto, minuscolo, apertado, krap, ciasno, тесно, 狭い, 拥挤, 좁',
  comfortable:
    'comfortable, comfy, comfortable bed, cómodo, cómoda, confortable, bequem, komfortabel, comodo, comoda, confortevole, confortável, comfortabel, wygodny, удобно, удобный, 舒适, 快適, 편안 | uncomfortable, incómodo, inconfortable, unbequem, scomodo, desconfortável, oncomfortabel, niewygodny, неудобно, 不舒服, 불편',
  modern:
    'modern, renovated, contemporary, moderno, moderna, moderne, renoviert, rénové, ristrutturato, renovado, gerenoveerd, nowoczesny, современный, 现代, モダン, 현대적 | outdated, dated, run down, anticuado, vétuste, veraltet, heruntergekommen, datato, antiquado, verouderd, przestarzały, устаревший, 陈旧, 古い, 낡',
  cosy: 'cosy, cozy, snug, intimate, acogedor, acogedora, chaleureux, cosy, gemütlich, accogliente, aconchegante, gezellig, przytulny, уютно, уютный, 温馨, 居心地, 아늑',
  view: 'view, views, viewpoint, lookout, mirador, point de vue, aussichtspunkt, belvedere, miradouro, uitkijkpunt, punkt widokowy, смотровая, 观景台, 展望台, 전망대, vista, vistas, vue, aussicht, ausblick, blick, panorama, uitzicht, widok, вид, виды, 景色, 风景, 眺め, 夜景, 전망, 뷰',
  terrace:
    'terrace, outdoor seating, patio, terraza, terrasse, dachterrasse, außenbereich, terrazza, esplanada, terraço, terras, taras, терраса, веранда, 露台, テラス, 테라스',
  rooftop:
    'rooftop, roof top, roof terrace, azotea, toit terrasse, rooftop, dachterrasse, tetto, dakterras, крыша, 屋顶, 屋上, 루프탑',
  garden: 'garden, jardín, jardin, garten, giardino, jardim, tuin, ogród, сад, 花园, 庭, 정원',
  pool: 'pool, swimming pool, piscina, piscine, schwimmbad, zwembad, basen, бассейн, 游泳池, 泳池, プール, 수영장',
  gym: 'gym, fitness, gimnasio, salle de sport, fitnessraum, palestra, ginásio, academia, sportschool, siłownia, спортзал, 健身房, ジム, 헬스장',
  spa: 'spa, sauna, massage, hammam, wellness, masaje, massaggio, massagem, сауна, спа, 水疗, 按摩, マッサージ, サウナ, 스파, 마사지',
  parking:
    'parking, car park, aparcamiento, estacionamiento, parkplatz, parcheggio, estacionamento, parkeren, parkeerplaats, парковка, 停车, 駐車場, 주차',
  breakfast:
    'breakfast, brunch, desayuno, petit déjeuner, frühstück, colazione, café da manhã, pequeno almoço, ontbijt, śniadanie, завтрак, 早餐, 朝食, 조식',
  wifi: 'wifi, wi fi, wlan, internet, internet connection, vai fai, вайфай, интернет, 无线, 网络, ネット, 와이파이 | no signal, sin señal',
  'air conditioning':
    'air conditioning, air conditioned, aircon, ac, aire acondicionado, climatisation, climatisé, klimaanlage, klimatisiert, aria condizionata, ar condicionado, airconditioning, klimatyzacja, кондиционер, 空调, エアコン, 에어컨',
  kitchen:
    'kitchen, kitchenette, cocina, cuisine équipée, kochnische, küche, cucina, cozinha, keuken, kuchnia, кухня, 厨房, キッチン, 주방',
  pets: 'pet friendly, pets, dog friendly, dogs, dog, mascotas, perro, perros, animaux, chien, chiens, haustiere, hund, hunde, animali, cani, cane, cachorro, huisdieren, honden, psy, zwierzęta, собака, с животными, 宠物, ペット, 犬, 반려견',
  accessible:
    'wheelchair, accessible, step free, lift, elevator, silla de ruedas, accesible, ascensor, fauteuil roulant, ascenseur, rollstuhl, barrierefrei, aufzug, sedia a rotelle, ascensore, cadeira de rodas, elevador, rolstoel, wózek, winda, лифт, 电梯, 轮椅, エレベーター, 車椅子, 엘리베이터, 휠체어 | stairs, steps only, escaleras, escaliers, treppen, escadas, trappen, schody, лестница, 楼梯, 階段, 계단',
  romantic:
    'romantic, romantico, romantica, romántico, romántica, romantique, romantisch, romântico, romântica, romantyczny, романтично, романтический, 浪漫, ロマンチック, 로맨틱',
  vegan: 'vegan, vegana, vegano, végane, végétalien, plant based, wegańskie, веган, 纯素, ヴィーガン, ビーガン, 비건',
  vegetarian:
    'vegetarian, veggie, vegetariano, vegetariana, végétarien, vegetarisch, wegetariańskie, вегетариан, 素食, ベジタリアン, 채식',
  'gluten free':
    'gluten free, coeliac, celiac, sin gluten, celiaco, sans gluten, glutenfrei, senza glutine, sem glúten, glutenvrij, bez glutenu, без глютена, 无麸质, グルテンフリー, 글루텐프리',
  seafood:
    'seafood, fresh fish, marisco, mariscos, pescado, fruits de mer, poisson, meeresfrüchte, fisch, frutti di mare, pesce, frutos do mar, peixe, zeevruchten, owoce morza, ryby, морепродукты, рыба, 海鲜, 海鮮, 魚介, 해산물',
  'street food':
    'street food, food stall, food stalls, hawker, comida callejera, cuisine de rue, straßenessen, cibo di strada, comida de rua, straatvoedsel, уличная еда, 小吃, 屋台, 길거리 음식',
  'hot tub':
    'hot tub, hot tubs, jacuzzi, whirlpool, bañera de hidromasaje, bain à remous, vasca idromassaggio, banheira de hidromassagem, bubbelbad, джакузи, 按摩浴缸, ジャグジー, 자쿠지',
  rain: 'rain, rainy, rains, rained, raining, poured, rainy day, bad weather, lluvia, llueve, llover, llovía, lluvioso, pluie, pleut, pleuvait, pleuvoir, regen, regnet, regnete, regnerisch, pioggia, piove, pioveva, chuva, chove, chovia, choveu, regent, regende, deszcz, pada, дождь, дождя, дождливый, 下雨, 雨天, 雨, 비가, 비 오는',
  architecture:
    'architecture, architectural, beautiful building, arquitectura, architektur, architettura, arquitetura, architectuur, architektura, архитектура, 建築, 建筑, 건축',
  queues:
    'queue, queues, queuing, long queue, long queues, largas colas, colas largas, lange schlange, lange schlangen, longue file, longues files, lunghe code, lange rij, lange rijen, long line, long lines, lines, waiting time, waiting times, wait in line, cola, colas, fila, filas, file d attente, files d attente, attente, schlange, schlangen, warteschlange, wartezeit, wartezeiten, coda, attesa, wachtrij, wachttijd, kolejka, kolejki, очередь, очереди, 排队, 行列, 並ば, 待ち時間, 줄을',
  crowded:
    'crowded, crowds, crowd, busy, packed, overcrowded, abarrotado, lleno de gente, mucha gente, masificado, bondé, foule, beaucoup de monde, überfüllt, überlaufen, menschenmassen, affollato, folla, lotado, cheio de gente, multidão, druk, tłok, tłumy, zatłoczony, многолюдно, толпа, 拥挤, 人很多, 混雑, 混んで, 붐비 | uncrowded, few people, not many people, poca gente, peu de monde, wenig los, wenige leute, poca folla, pouca gente, weinig mensen, мало людей, 人少, 空いて, 한산',
  free: 'free, free entry, free entrance, free admission, free of charge, no charge, gratis, entrada libre, entrada gratuita, gratuit, gratuite, gratuits, gratuites, kostenlos, kostenfrei, eintritt frei, freier eintritt, gratuito, gratuita, gratuiti, ingresso libero, grátis, darmowe, darmowy, bezpłatny, bezpłatnie, бесплатно, бесплатный, 免费, 無料, 무료',
  history:
    'history, historic, historical, ancient, ruins, historia, histórico, histórica, antiguo, ruinas, histoire, historique, ancien, ruines, geschichte, historisch, antik, ruinen, storia, storico, storica, antico, rovine, história, antigo, geschiedenis, historische, zabytki, история, исторический, руины, 历史, 古迹, 歴史, 遺跡, 역사, 유적',
  photos:
    'photo, photos, photography, photogenic, pictures, instagram, instagrammable, foto, fotos, fotografía, fotografiar, photographie, photographier, fotografieren, fotomotiv, fotografare, fotografar, zdjęcia, фото, фотографии, 拍照, 照片, 写真, 사진',
  'guided tour':
    'guide, guided, guides, guided tour, guided tours, guided visit, guía, guiada, guiadas, visita guiada, visite guidée, guidée, führung, führungen, guida, guidata, visita guidata, rondleiding, gids, przewodnik, экскурсия, гид, 导览, 讲解, ガイド, 가이드',
  shopping:
    'shopping, shops, souvenirs, boutiques, market stalls, compras, tiendas, magasins, einkaufen, geschäfte, negozi, acquisti, lojas, winkelen, winkels, zakupy, sklepy, магазины, шопинг, 购物, 買い物, ショッピング, 쇼핑',
  nightlife:
    'nightlife, party, parties, dancing, night out, fiesta, vida nocturna, bailar, marcha, vie nocturne, faire la fête, danser, nachtleben, feiern, tanzen, vita notturna, ballare, festa, dançar, balada, nachtleven, uitgaan, życie nocne, impreza, тусовка, танцы, 夜生活, 派对, ナイトライフ, 클럽, 파티',
  luxury:
    'luxury, luxurious, upscale, five star, lujo, lujoso, lujosa, luxe, luxueux, luxus, luxuriös, edel, lusso, lussuoso, luxo, luxuoso, luxueus, luksus, luksusowy, люкс, роскошный, 豪华, 奢华, 高級, ラグジュアリー, 고급, 럭셔리',
  'live music':
    'live music, live band, jazz, música en vivo, musique live, concert, livemusik, musica dal vivo, música ao vivo, livemuziek, muzyka na żywo, живая музыка, 现场音乐, 生演奏, ライブ, 라이브',
  sunset:
    'sunset, atardecer, puesta de sol, coucher de soleil, sonnenuntergang, tramonto, pôr do sol, zonsondergang, zachód słońca, закат, 日落, 夕日, 夕焼け, 일몰',
  beach:
    'beach, beachfront, seaside, playa, plage, strand, spiaggia, praia, plaża, пляж, 海滩, 海边, ビーチ, 海岸, 해변',
  'remote work':
    'remote work, remote working, coworking, laptop, laptops, work desk, working desk, writing desk, desk to work, desk for work, good desk, power outlets, work from, teletrabajo, ordenador portátil, escritorio, télétravail, ordinateur, bureau, schreibtisch, arbeitsplatz, homeoffice, scrivania, portatile, werkplek, biurko, ноутбук, 办公, 笔记本, 電源, ノートパソコン, 노트북',
  cocktails: 'cocktail, cocktails, cócteles, mixology, drinks menu, koktajle, коктейли, 鸡尾酒, カクテル, 칵테일',
  wine: 'wine, wines, wine list, vino, vinos, vin, vins, wein, weine, vinho, vinhos, wijn, wijnen, wino, вино, 葡萄酒, ワイン, 와인',
  beer: 'beer, beers, craft beer, cerveza, cervezas, bière, bières, bier, biere, birra, birre, cerveja, bieren, piwo, пиво, 啤酒, ビール, 맥주',
  coffee: 'coffee, espresso, flat white, café, cafés, kaffee, caffè, koffie, kawa, кофе, 咖啡, コーヒー, 커피',
  authentic:
    'authentic, local food, locals, traditional, home cooking, auténtico, tradicional, casero, authentique, traditionnel, fait maison, authentisch, einheimische, traditionell, hausgemacht, autentico, tradizionale, casalingo, autêntico, caseiro, traditioneel, tradycyjny, аутентично, домашняя, 地道, 正宗, 本格, 地元, 정통, 현지 | touristy, tourist trap, turístico, piège à touristes, touristenfalle, turistico, toeristisch, туристическое, 观光客',
  lively:
    'lively, buzzing, bustling, animado, animé, lebhaft, vivace, levendig, 热闹, にぎやか, 활기 | boring, dead, empty, aburrido, ennuyeux, langweilig, noioso, chato, saai, nudno, скучно, 无聊, つまらない, 지루',
}

/** Idea with the folded words and phrases for it and for its opposite, each with spaces between tokens. */
export interface Concept {
  readonly id: string
  readonly forms: readonly string[]
  readonly opposites: readonly string[]
}

const formsOf = (list = ''): string[] => [...new Set(list.split(', ').map(fold))].filter(form => form !== '')

export const concepts: readonly Concept[] = Object.entries(table).map(([id, words]) => {
  const [forms, opposites] = words.split(' | ')
  return { id, forms: formsOf(forms), opposites: formsOf(opposites) }
})

/** Concept that a word or phrase means, and true if it means the opposite. */
export interface Meaning {
  readonly concept: Concept
  readonly isOpposite: boolean
}

/** Meanings by phrase: tokens joined by a space. */
const meanings = new Map<string, Meaning>()
/** Meanings by the stem of a single word. */
const byStem = new Map<string, Meaning>()
for (const concept of concepts) {
  for (const isOpposite of [false, true]) {
    for (const form of isOpposite ? concept.opposites : concept.forms) {
      const words = tokens(form)
      const meaning = { concept, isOpposite }
      const phrase = words.join(' ')
      if (!meanings.has(phrase)) meanings.set(phrase, meaning)
      if (words.length === 1 && !isBigram(form)) {
        const { text, ending } = stemOf(form)
        if (ending > 0 && !byStem.has(text)) byStem.set(text, meaning)
      }
    }
  }
}

const conceptWords = new Set(
  [...concepts.flatMap(({ forms, opposites }) => [...forms, ...opposites]), ...Object.values(tripForms).flat()].flatMap(
    tokens,
  ),
)

/** Returns true for a word, or an inflection of one, in the phrases of concepts and trip types. */
export const isConceptWord = (word: string): boolean => conceptWords.has(word) || meaningOf([word]) !== undefined

/** Maximum number of tokens of a phrase. */
export const longestConcept = Math.max(...[...meanings.keys()].map(phrase => phrase.split(' ').length))

/** Minimum length of a stem by which a word is looked up, and the letters that it may lack; see stemOf. */
const minStem = 4
const maxShorter = { hangul: 8, others: 2 } as const

/** Returns the concept that a phrase means; a single word may have another ending than the table. */
export function meaningOf(words: readonly string[]): Meaning | undefined {
  const exact = meanings.get(words.join(' '))
  if (exact !== undefined || words.length > 1) return exact
  const [word] = words
  const { text } = stemOf(word!)
  const shorter = /^\p{Script=Hangul}/u.test(text) ? maxShorter.hangul : maxShorter.others
  for (let length = text.length; length >= Math.max(minStem, text.length - shorter); length--) {
    const meaning = byStem.get(text.slice(0, length))
    if (meaning !== undefined) return meaning
  }
  return undefined
}
