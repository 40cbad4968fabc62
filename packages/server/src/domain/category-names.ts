import { categoryDisplayName, topLevelCategories, topLevelNames } from './category.ts'

/** Languages in which categories have names. */
export const categoryLanguages = ['en', 'ar', 'de', 'es', 'fr', 'it', 'ja', 'ko', 'pt', 'zh'] as const

/** Names of categories in the languages after English, in their order; English names follow from the ids. */
const translations: Readonly<Record<string, string>> = {
  HOTEL: 'فنادق, Unterkünfte, Hoteles, Hôtels, Hotel, ホテル, 호텔, Hotéis, 酒店',
  RESTAURANT: 'مطاعم, Restaurants, Restaurantes, Restaurants, Ristoranti, レストラン, 음식점, Restaurantes, 餐厅',
  ATTRACTION:
    'معالم سياحية, Sehenswürdigkeiten, Atracciones, Attractions, Attrazioni, 観光スポット, 관광 명소, Atrações, 景点',
  GEO: 'أماكن جغرافية, Orte und Gebiete, Lugares geográficos, Lieux géographiques, Luoghi geografici, 地名, 지역, Lugares geográficos, 地理位置',
  TRANSPORT: 'مواصلات, Verkehr, Transporte, Transports, Trasporti, 交通, 교통, Transportes, 交通',
  OTHER: 'أخرى, Sonstiges, Otros, Autres, Altro, その他, 기타, Outros, 其他',

  hotel: 'فندق, Hotel, Hotel, Hôtel, Hotel, ホテル, 호텔, Hotel, 酒店',
  motel: 'موتيل, Motel, Motel, Motel, Motel, モーテル, 모텔, Motel, 汽车旅馆',
  inn: 'نُزُل, Gasthof, Posada, Auberge, Locanda, 旅館, 여관, Estalagem, 客栈',
  resort: 'منتجع, Resort, Complejo turístico, Complexe hôtelier, Resort, リゾート, 리조트, Resort, 度假村',
  aparthotel:
    'شقق فندقية, Aparthotel, Apartahotel, Appart’hôtel, Residence, アパートホテル, 아파트 호텔, Apart-hotel, 公寓酒店',
  ryokan: 'ريوكان, Ryokan, Ryokan, Ryokan, Ryokan, 旅館, 료칸, Ryokan, 日式旅馆',
  hostel: 'بيت شباب, Hostel, Albergue, Auberge de jeunesse, Ostello, ホステル, 호스텔, Albergue, 青年旅舍',
  guesthouse:
    'بيت ضيافة, Gästehaus, Casa de huéspedes, Maison d’hôtes, Affittacamere, ゲストハウス, 게스트하우스, Pousada, 民宿',
  bed_and_breakfast:
    'مبيت وإفطار, Frühstückspension, Alojamiento con desayuno, Chambre d’hôtes, Bed and breakfast, B&B, B&B, Cama e café, 家庭旅馆',
  pension: 'بنسيون, Pension, Pensión, Pension de famille, Pensione, ペンション, 펜션, Pensão, 膳宿旅馆',
  lodging: 'إقامة, Unterkunft, Alojamiento, Hébergement, Alloggio, 宿泊施設, 숙소, Hospedagem, 住宿',
  vacation_rental:
    'إيجار عطلات, Ferienunterkunft, Alquiler vacacional, Location de vacances, Casa vacanze, バケーションレンタル, 휴가용 숙소, Aluguel de temporada, 度假租赁',
  apartment: 'شقة, Apartment, Apartamento, Appartement, Appartamento, アパートメント, 아파트, Apartamento, 公寓',
  serviced_apartment:
    'شقة مخدومة, Boardinghaus, Apartamento con servicios, Appartement avec services, Appartamento con servizi, サービスアパートメント, 레지던스, Apartamento com serviços, 服务式公寓',
  holiday_home:
    'بيت عطلات, Ferienhaus, Casa de vacaciones, Maison de vacances, Casa per le vacanze, 貸別荘, 별장, Casa de férias, 度假屋',
  villa: 'فيلا, Villa, Villa, Villa, Villa, ヴィラ, 빌라, Vila, 别墅',
  chalet: 'شاليه, Chalet, Chalé, Chalet, Chalet, シャレー, 샬레, Chalé, 木屋',
  cottage: 'كوخ, Landhaus, Casa rural, Gîte, Cottage, コテージ, 코티지, Casa de campo, 村舍',
  campground: 'مخيم, Campingplatz, Camping, Camping, Campeggio, キャンプ場, 캠핑장, Camping, 露营地',
  camp_site:
    'موقع تخييم, Zeltplatz, Zona de acampada, Terrain de camping, Area campeggio, キャンプサイト, 야영지, Área de camping, 营地',

  restaurant: 'مطعم, Restaurant, Restaurante, Restaurant, Ristorante, レストラン, 레스토랑, Restaurante, 餐厅',
  bistro: 'حانة طعام صغيرة, Bistro, Bistró, Bistrot, Bistrot, ビストロ, 비스트로, Bistrô, 小酒馆',
  brasserie: 'براسري, Brasserie, Brasserie, Brasserie, Brasserie, ブラッスリー, 브라스리, Brasserie, 法式餐馆',
  diner: 'مطعم شعبي, Diner, Cafetería americana, Diner, Tavola calda, ダイナー, 다이너, Lanchonete, 美式餐馆',
  steakhouse: 'مطعم ستيك, Steakhouse, Asador, Grill, Steakhouse, ステーキハウス, 스테이크하우스, Churrascaria, 牛排馆',
  pizzeria: 'بيتزيريا, Pizzeria, Pizzería, Pizzeria, Pizzeria, ピザ店, 피자집, Pizzaria, 比萨店',
  cafe: 'مقهى, Café, Cafetería, Café, Caffè, カフェ, 카페, Café, 咖啡馆',
  coffee_shop: 'محل قهوة, Kaffeebar, Café, Café, Caffetteria, コーヒーショップ, 커피숍, Cafeteria, 咖啡店',
  tea_house: 'بيت شاي, Teehaus, Casa de té, Salon de thé, Sala da tè, 茶室, 찻집, Casa de chá, 茶馆',
  bar: 'حانة, Bar, Bar, Bar, Bar, バー, 바, Bar, 酒吧',
  pub: 'حانة شعبية, Kneipe, Pub, Pub, Pub, パブ, 펍, Pub, 酒馆',
  cocktail_bar:
    'بار كوكتيل, Cocktailbar, Coctelería, Bar à cocktails, Cocktail bar, カクテルバー, 칵테일 바, Bar de coquetéis, 鸡尾酒吧',
  wine_bar: 'بار نبيذ, Weinbar, Vinoteca, Bar à vin, Enoteca, ワインバー, 와인 바, Bar de vinhos, 葡萄酒吧',
  beer_garden:
    'حديقة جعة, Biergarten, Cervecería al aire libre, Jardin à bière, Birreria all’aperto, ビアガーデン, 비어 가든, Cervejaria ao ar livre, 啤酒花园',
  bakery: 'مخبز, Bäckerei, Panadería, Boulangerie, Panetteria, パン屋, 빵집, Padaria, 面包店',
  fast_food:
    'وجبات سريعة, Schnellrestaurant, Comida rápida, Restauration rapide, Fast food, ファストフード, 패스트푸드, Fast-food, 快餐',
  food_stall:
    'كشك طعام, Imbissstand, Puesto de comida, Étal de restauration, Chiosco, 屋台, 노점, Barraca de comida, 小吃摊',
  food_court:
    'ردهة مطاعم, Gastronomiebereich, Zona de restaurantes, Aire de restauration, Area ristorazione, フードコート, 푸드코트, Praça de alimentação, 美食广场',
  hawker_centre:
    'مركز باعة الطعام, Hawker-Center, Centro de puestos de comida, Centre de marchands ambulants, Mercato gastronomico, ホーカーセンター, 호커 센터, Centro de comida de rua, 小贩中心',
  deli: 'متجر أطعمة جاهزة, Feinkostladen, Charcutería, Épicerie fine, Gastronomia, デリ, 델리, Delicatéssen, 熟食店',
  dessert_shop:
    'محل حلويات, Dessertladen, Tienda de postres, Salon de desserts, Pasticceria, スイーツ店, 디저트 가게, Loja de sobremesas, 甜品店',
  ice_cream: 'مثلجات, Eisdiele, Heladería, Glacier, Gelateria, アイスクリーム店, 아이스크림 가게, Sorveteria, 冰淇淋店',
  brewery:
    'مصنع جعة, Brauerei, Cervecería artesanal, Brasserie artisanale, Birrificio, ブルワリー, 양조장, Cervejaria, 啤酒厂',
  winery: 'مصنع نبيذ, Weingut, Bodega, Domaine viticole, Cantina, ワイナリー, 와이너리, Vinícola, 酒庄',

  attraction: 'معلم سياحي, Sehenswürdigkeit, Atracción, Attraction, Attrazione, 観光名所, 관광지, Atração, 景点',
  museum: 'متحف, Museum, Museo, Musée, Museo, 博物館, 박물관, Museu, 博物馆',
  gallery: 'معرض, Galerie, Galería, Galerie, Galleria, ギャラリー, 갤러리, Galeria, 画廊',
  art_gallery:
    'معرض فنون, Kunstgalerie, Galería de arte, Galerie d’art, Galleria d’arte, 画廊, 미술관, Galeria de arte, 美术馆',
  artwork: 'عمل فني, Kunstwerk, Obra de arte, Œuvre d’art, Opera d’arte, アート作品, 예술 작품, Obra de arte, 艺术品',
  theatre: 'مسرح, Theater, Teatro, Théâtre, Teatro, 劇場, 극장, Teatro, 剧院',
  theater: 'مسرح, Theater, Teatro, Théâtre, Teatro, 劇場, 극장, Teatro, 剧院',
  cinema: 'سينما, Kino, Cine, Cinéma, Cinema, 映画館, 영화관, Cinema, 电影院',
  concert_hall:
    'قاعة حفلات, Konzertsaal, Sala de conciertos, Salle de concert, Sala da concerti, コンサートホール, 콘서트홀, Sala de concertos, 音乐厅',
  opera_house:
    'دار أوبرا, Opernhaus, Teatro de ópera, Opéra, Teatro dell’opera, 歌劇場, 오페라 하우스, Casa de ópera, 歌剧院',
  library: 'مكتبة, Bibliothek, Biblioteca, Bibliothèque, Biblioteca, 図書館, 도서관, Biblioteca, 图书馆',
  stadium: 'ملعب, Stadion, Estadio, Stade, Stadio, スタジアム, 경기장, Estádio, 体育场',
  nightlife:
    'حياة ليلية, Nachtleben, Vida nocturna, Vie nocturne, Vita notturna, ナイトライフ, 나이트라이프, Vida noturna, 夜生活',
  nightclub: 'ملهى ليلي, Nachtclub, Discoteca, Boîte de nuit, Discoteca, ナイトクラブ, 나이트클럽, Boate, 夜总会',
  casino: 'كازينو, Spielbank, Casino, Casino, Casinò, カジノ, 카지노, Cassino, 赌场',
  spa: 'سبا, Spa, Spa, Spa, Spa, スパ, 스파, Spa, 水疗中心',
  historic_site:
    'موقع تاريخي, Historische Stätte, Sitio histórico, Site historique, Sito storico, 史跡, 유적지, Sítio histórico, 历史遗迹',
  archaeological_site:
    'موقع أثري, Archäologische Stätte, Yacimiento arqueológico, Site archéologique, Sito archeologico, 考古遺跡, 고고학 유적, Sítio arqueológico, 考古遗址',
  castle: 'قلعة, Burg oder Schloss, Castillo, Château, Castello, 城, 성, Castelo, 城堡',
  palace: 'قصر, Palast, Palacio, Palais, Palazzo, 宮殿, 궁전, Palácio, 宫殿',
  ruins: 'أطلال, Ruine, Ruinas, Ruines, Rovine, 遺跡, 폐허, Ruínas, 废墟',
  monument: 'نصب تذكاري, Denkmal, Monumento, Monument, Monumento, 記念碑, 기념물, Monumento, 纪念碑',
  memorial: 'نصب للذكرى, Gedenkstätte, Memorial, Mémorial, Memoriale, 慰霊碑, 추모비, Memorial, 纪念馆',
  world_heritage:
    'تراث عالمي, Welterbe, Patrimonio mundial, Patrimoine mondial, Patrimonio mondiale, 世界遺産, 세계유산, Patrimônio mundial, 世界遗产',
  landmark:
    'مَعلم, Wahrzeichen, Lugar emblemático, Monument emblématique, Punto di riferimento, ランドマーク, 랜드마크, Marco, 地标',
  tower: 'برج, Turm, Torre, Tour, Torre, 塔, 탑, Torre, 塔',
  square: 'ساحة, Platz, Plaza, Place, Piazza, 広場, 광장, Praça, 广场',
  bridge: 'جسر, Brücke, Puente, Pont, Ponte, 橋, 다리, Ponte, 桥',
  fountain: 'نافورة, Brunnen, Fuente, Fontaine, Fontana, 噴水, 분수, Fonte, 喷泉',
  lighthouse: 'منارة, Leuchtturm, Faro, Phare, Faro, 灯台, 등대, Farol, 灯塔',
  place_of_worship:
    'مكان عبادة, Andachtsstätte, Lugar de culto, Lieu de culte, Luogo di culto, 礼拝所, 예배당, Local de culto, 宗教场所',
  church: 'كنيسة, Kirche, Iglesia, Église, Chiesa, 教会, 교회, Igreja, 教堂',
  cathedral: 'كاتدرائية, Kathedrale, Catedral, Cathédrale, Cattedrale, 大聖堂, 대성당, Catedral, 大教堂',
  temple: 'معبد, Tempel, Templo, Temple, Tempio, 寺院, 사원, Templo, 寺庙',
  mosque: 'مسجد, Moschee, Mezquita, Mosquée, Moschea, モスク, 모스크, Mesquita, 清真寺',
  park: 'حديقة عامة, Park, Parque, Parc, Parco, 公園, 공원, Parque, 公园',
  garden: 'حديقة, Garten, Jardín, Jardin, Giardino, 庭園, 정원, Jardim, 花园',
  botanical_garden:
    'حديقة نباتية, Botanischer Garten, Jardín botánico, Jardin botanique, Orto botanico, 植物園, 식물원, Jardim botânico, 植物园',
  national_park:
    'متنزه وطني, Nationalpark, Parque nacional, Parc national, Parco nazionale, 国立公園, 국립공원, Parque nacional, 国家公园',
  theme_park:
    'مدينة ألعاب, Themenpark, Parque temático, Parc à thème, Parco a tema, テーマパーク, 테마파크, Parque temático, 主题公园',
  amusement_park:
    'مدينة ملاهٍ, Freizeitpark, Parque de atracciones, Parc d’attractions, Parco divertimenti, 遊園地, 놀이공원, Parque de diversões, 游乐园',
  water_park:
    'مدينة ألعاب مائية, Wasserpark, Parque acuático, Parc aquatique, Parco acquatico, ウォーターパーク, 워터파크, Parque aquático, 水上乐园',
  zoo: 'حديقة حيوان, Zoo, Zoológico, Zoo, Zoo, 動物園, 동물원, Zoológico, 动物园',
  aquarium: 'حوض أسماك, Aquarium, Acuario, Aquarium, Acquario, 水族館, 수족관, Aquário, 水族馆',
  natural_feature:
    'معلم طبيعي, Naturobjekt, Elemento natural, Site naturel, Elemento naturale, 自然地形, 자연 지형, Elemento natural, 自然景观',
  beach: 'شاطئ, Strand, Playa, Plage, Spiaggia, ビーチ, 해변, Praia, 海滩',
  waterfall: 'شلال, Wasserfall, Cascada, Cascade, Cascata, 滝, 폭포, Cachoeira, 瀑布',
  viewpoint: 'نقطة مشاهدة, Aussichtspunkt, Mirador, Point de vue, Punto panoramico, 展望台, 전망대, Mirante, 观景点',
  golf_course:
    'ملعب غولف, Golfplatz, Campo de golf, Parcours de golf, Campo da golf, ゴルフ場, 골프장, Campo de golfe, 高尔夫球场',
  ski_area:
    'منطقة تزلج, Skigebiet, Estación de esquí, Domaine skiable, Comprensorio sciistico, スキー場, 스키장, Estação de esqui, 滑雪场',
  marina: 'مرسى, Jachthafen, Puerto deportivo, Port de plaisance, Porto turistico, マリーナ, 마리나, Marina, 游艇码头',
  marketplace: 'سوق, Markt, Mercado, Marché, Mercato, 市場, 시장, Mercado, 市场',
  observatory: 'مرصد, Sternwarte, Observatorio, Observatoire, Osservatorio, 天文台, 천문대, Observatório, 天文台',
  tour_operator:
    'منظم رحلات, Reiseveranstalter, Operador turístico, Voyagiste, Tour operator, ツアー会社, 여행사, Operadora de turismo, 旅行社',

  airport: 'مطار, Flughafen, Aeropuerto, Aéroport, Aeroporto, 空港, 공항, Aeroporto, 机场',
  heliport:
    'مهبط مروحيات, Hubschrauberlandeplatz, Helipuerto, Héliport, Eliporto, ヘリポート, 헬리포트, Heliporto, 直升机场',
  transit_station:
    'محطة نقل, Haltestelle, Estación de transporte, Station de transport, Stazione dei trasporti, 交通機関の駅, 환승역, Estação de transporte, 交通枢纽',
  railway_station:
    'محطة قطار, Bahnhof, Estación de tren, Gare, Stazione ferroviaria, 鉄道駅, 기차역, Estação ferroviária, 火车站',
  train_station:
    'محطة قطار, Bahnhof, Estación de tren, Gare, Stazione ferroviaria, 鉄道駅, 기차역, Estação de trem, 火车站',
  bus_station:
    'محطة حافلات, Busbahnhof, Estación de autobuses, Gare routière, Stazione degli autobus, バスターミナル, 버스 터미널, Rodoviária, 汽车站',
  metro_station:
    'محطة مترو, U-Bahnhof, Estación de metro, Station de métro, Stazione della metropolitana, 地下鉄駅, 지하철역, Estação de metrô, 地铁站',
  subway_station:
    'محطة مترو أنفاق, U-Bahnhof, Estación de metro, Station de métro, Stazione della metropolitana, 地下鉄駅, 지하철역, Estação de metrô, 地铁站',
  tram_stop:
    'محطة ترام, Straßenbahnhaltestelle, Parada de tranvía, Arrêt de tramway, Fermata del tram, 路面電車停留場, 트램 정류장, Parada de bonde, 有轨电车站',
  ferry_terminal:
    'محطة عبّارات, Fährterminal, Terminal de ferris, Gare maritime, Terminal dei traghetti, フェリーターミナル, 여객선 터미널, Terminal de balsas, 渡轮码头',
  port: 'ميناء, Hafen, Puerto, Port, Porto, 港, 항구, Porto, 港口',
  harbour: 'مرفأ, Hafenbecken, Puerto, Port, Porto, 港, 항만, Porto, 港湾',
  taxi_stand:
    'موقف سيارات أجرة, Taxistand, Parada de taxis, Station de taxis, Stazione dei taxi, タクシー乗り場, 택시 승강장, Ponto de táxi, 出租车站',

  'geo:continent': 'قارة, Kontinent, Continente, Continent, Continente, 大陸, 대륙, Continente, 大洲',
  'geo:country': 'بلد, Land, País, Pays, Paese, 国, 국가, País, 国家',
  'geo:region': 'منطقة, Region, Región, Région, Regione, 地方, 지방, Região, 地区',
  'geo:state': 'ولاية, Bundesstaat, Estado, État, Stato, 州, 주, Estado, 州',
  'geo:county': 'مقاطعة, Kreis, Condado, Comté, Contea, 郡, 군, Condado, 县',
  'geo:city': 'مدينة, Stadt, Ciudad, Ville, Città, 都市, 도시, Cidade, 城市',
  'geo:town': 'بلدة, Kleinstadt, Localidad, Bourg, Cittadina, 町, 읍, Vila, 镇',
  'geo:village': 'قرية, Dorf, Pueblo, Village, Villaggio, 村, 마을, Aldeia, 村庄',
  'geo:hamlet': 'قرية صغيرة, Weiler, Caserío, Hameau, Borgo, 集落, 작은 마을, Lugarejo, 小村',
  'geo:locality': 'محلة, Ortschaft, Localidad, Localité, Località, 地区, 지역, Localidade, 地点',
  'geo:suburb': 'ضاحية, Vorort, Suburbio, Banlieue, Sobborgo, 郊外, 교외, Subúrbio, 郊区',
  'geo:borough': 'حي إداري, Stadtbezirk, Distrito, Arrondissement, Circoscrizione, 区, 구, Distrito, 区',
  'geo:neighbourhood': 'حي, Viertel, Barrio, Quartier, Quartiere, 地区, 동네, Bairro, 街区',
  'geo:island': 'جزيرة, Insel, Isla, Île, Isola, 島, 섬, Ilha, 岛',
}

const columns = new Map<string, readonly string[]>(
  Object.entries(translations).map(([id, names]) => [id, names.split(', ')]),
)

/** Returns the English name of a category. */
function englishName(id: string): string {
  const top = topLevelCategories.find(category => category === id)
  return top === undefined ? categoryDisplayName(id) : topLevelNames[top]
}

/**
 * Returns the name of a category in the first of the languages (BCP 47 tags) that it has a name in, otherwise in
 * English.
 */
export function categoryName(id: string, languages: readonly string[]): string {
  const names = columns.get(id)
  for (const tag of languages) {
    const language = categoryLanguages.indexOf(
      tag.split('-', 1)[0]!.toLowerCase() as (typeof categoryLanguages)[number],
    )
    if (language === 0) return englishName(id)
    if (language > 0 && names !== undefined) return names[language - 1]!
  }
  return englishName(id)
}
