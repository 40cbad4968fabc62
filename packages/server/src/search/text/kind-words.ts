import { findTopLevelCategory } from '../../domain/category.ts'
import { tokens } from '../../kit/tokens.ts'
import { categoryPhrases } from './category-words.ts'

/**
 * Words for the categories without any in category-words.ts, in the same languages. They ask for a kind only where a
 * text has no other words than kinds and a place: most of them are also words of names ("Plaza de España"). Kinds of
 * GEO are in plural only. A category that has none here or there has those of its parent.
 */
const words: Readonly<Record<string, string>> = {
  HOTEL:
    'place to stay, somewhere to stay, rooms, room, habitaciones, habitación, donde alojarse, où dormir, chambre, chambres, zimmer, wo übernachten, camere, dove dormire, quartos, onde ficar, kamers, waar overnachten, pokoje, gdzie spać, oda, odalar, nerede kalınır, номера, жильё, где остановиться, 住宿, 宿, 宿泊, 숙소, 숙박',
  RESTAURANT:
    'place to eat, somewhere to eat, where to dine, where can i eat, dónde cenar, où dîner, où déjeuner, wo essen, wo kann man essen, dove cenare, onde jantar, waar eten, gdzie zjeść, var äta, nerede yenir, где поесть',
  ATTRACTION:
    'what to do, things to see, stuff to do, places to visit, places to see, where to go, sightseeing, must see, must sees, tourist attractions, tourist attraction, tourist spots, tourist sites, points of interest, activities, qué hacer, qué visitar, lugares para visitar, lugares que visitar, sitios para visitar, sitios de interés, puntos de interés, atracciones turísticas, actividades, que visiter, à visiter, lieux à visiter, choses à faire, choses à voir, sites touristiques, activités, attractions touristiques, was tun, was machen, was unternehmen, was kann man machen, was sehen, ausflugsziele, aktivitäten, unternehmungen, cosa fare, cosa visitare, cose da fare, cose da vedere, luoghi da visitare, attrazioni turistiche, attività, o que ver, o que visitar, lugares turisticos, pontos de interesse, passeios, wat te doen, wat te zien, dingen te doen, co zobaczyć, co robić, co zwiedzić, atrakcje turystyczne, att göra, saker att göra, vad göra, ne yapılır, yapılacak şeyler, görülecek yerler, что посмотреть, что делать, куда сходить, куда пойти, 好玩的地方, 旅游景点, 観光スポット, 名所, 見どころ, 가볼만한 곳, 볼거리, 할거리',
  motel: 'motel, motels, moteles, moteller, motele, мотель, мотели, 汽车旅馆, モーテル, 모텔',
  inn: 'inn, inns, posada, posadas, auberge, auberges, gasthof, gasthöfe, gasthaus, gasthäuser, locanda, locande, estalagem, estalagens, pousada, pousadas, herberg, herbergen, zajazd, zajazdy, värdshus, постоялый двор, 客栈, 旅籠, 여관',
  resort:
    'resort, resorts, complejo turístico, complejos turísticos, complexe hôtelier, ferienanlage, ferienanlagen, villaggio turistico, villaggi turistici, vakantiepark, vakantieparken, ośrodek wypoczynkowy, tatil köyü, tatil köyleri, курорт, курорты, 度假村, リゾート, リゾートホテル, 리조트',
  aparthotel:
    'aparthotel, aparthotels, apart hotel, apart hotels, apartahotel, apartahoteles, apparthotel, apparthotels, residence, апартотель, 公寓酒店, アパートホテル',
  ryokan: 'ryokan, ryokans, ryokany, рёкан, 日式旅馆, 温泉旅館, 료칸',
  pension:
    'pension, pensions, pensión, pensiones, pensionen, pensione, pensioni, pensão, pensões, pension de famille, pensionat, pansiyon, pansiyonlar, пансион, пансионы, ペンション, 펜션',
  vacation_rental:
    'vacation rental, vacation rentals, holiday rental, holiday rentals, short term rental, short term rentals, alquiler vacacional, alquileres vacacionales, location de vacances, locations de vacances, location saisonnière, ferienunterkunft, ferienunterkünfte, case vacanze, aluguel de temporada, vakantieverhuur, 度假租赁, 民泊',
  apartment:
    'apartment, apartments, holiday apartment, holiday apartments, apartamento, apartamentos, appartement, appartements, ferienwohnung, ferienwohnungen, appartamento, appartamenti, apartament, apartamenty, lägenhet, lägenheter, daire, daireler, kiralık daire, квартира, квартиры, апартаменты, 公寓, アパート, 아파트',
  serviced_apartment:
    'serviced apartment, serviced apartments, apartamentos con servicio, boardinghaus, résidence hôtelière, résidences hôtelières, апартаменты с обслуживанием, 服务式公寓, サービスアパートメント, 레지던스',
  holiday_home:
    'holiday home, holiday homes, holiday house, holiday houses, vacation home, vacation homes, casa de vacaciones, casas de vacaciones, maison de vacances, maisons de vacances, ferienhaus, ferienhäuser, casa vacanze, casa per le vacanze, casa de férias, casas de férias, vakantiehuis, vakantiehuizen, dom wakacyjny, domy wakacyjne, semesterhus, sommarstuga, yazlık, дом отдыха, дома отдыха, 度假屋, 貸別荘, 별장',
  villa: 'villa, villas, villen, vilas, wille, villor, villalar, вилла, виллы, 别墅, ヴィラ, 빌라',
  chalet: 'chalet, chalets, chalé, chalés, berghütte, berghütten, шале, 木屋, シャレー, 샬레',
  cottage:
    'cottage, cottages, casa rural, casas rurales, gîte, gîtes, landhaus, landhäuser, agriturismo, agriturismi, casa de campo, casas de campo, huisje, huisjes, domek, domki, stuga, stugor, kır evi, коттедж, коттеджи, コテージ, 코티지',
  bistro: 'bistro, bistros, bistró, bistrot, bistrots, bistró, бистро, ビストロ, 비스트로',
  brasserie: 'brasserie, brasseries, брассери, ブラッスリー',
  diner:
    'diner, diners, tavola calda, lanchonete, lanchonetes, lokanta, lokantalar, закусочная, закусочные, столовая, столовые, ダイナー, 定食屋',
  steakhouse:
    'steakhouse, steakhouses, steak house, steak houses, asador, asadores, churrascaria, churrascarias, стейкхаус, стейкхаусы, 牛排馆, ステーキハウス, 스테이크하우스',
  pizzeria:
    'pizzeria, pizzerias, pizzería, pizzerías, pizzerie, pizzaria, pizzarias, pizzerien, pizzerior, пиццерия, пиццерии, 比萨店, ピザ屋, 피자집',
  tea_house:
    'tea house, tea houses, teahouse, teahouses, tea room, tea rooms, casa de té, salon de thé, salons de thé, teehaus, teehäuser, teestube, sala da tè, sale da tè, casa de chá, theehuis, herbaciarnia, tehus, çay bahçesi, çay evi, чайная, 茶馆, 茶室, 찻집',
  cocktail_bar:
    'cocktail bar, cocktail bars, coctelería, coctelerías, bar à cocktails, bars à cocktails, cocktailbar, cocktailbars, bar de coquetéis, koktajlbar, kokteyl barı, коктейль бар, 鸡尾酒吧, カクテルバー, 칵테일바',
  wine_bar:
    'wine bar, wine bars, vinoteca, vinotecas, bar à vin, bars à vin, bar à vins, weinbar, weinbars, weinstube, weinstuben, enoteca, enoteche, bar de vinhos, wijnbar, wijnbars, winiarnia, vinbar, şarap evi, винный бар, винные бары, ワインバー, 와인바',
  beer_garden:
    'beer garden, beer gardens, biergarten, biergärten, cervecería al aire libre, jardin à bière, cervejaria ao ar livre, biertuin, ogródek piwny, ölträdgård, bira bahçesi, пивной сад, 啤酒花园, ビアガーデン, 비어가든',
  food_stall:
    'food stall, food stalls, street food stall, puesto de comida, puestos de comida, imbissstand, chiosco, barraca de comida, 小吃摊, 屋台, 노점, 포장마차',
  food_court:
    'food court, food courts, zona de restaurantes, praça de alimentação, gastronomiebereich, фуд корт, фудкорт, 美食广场, フードコート, 푸드코트',
  hawker_centre:
    'hawker centre, hawker centres, hawker center, hawker centers, hawker, hawkers, 小贩中心, ホーカーセンター, 호커센터',
  deli: 'deli, delis, delicatessen, delicatessens, charcutería, charcuterías, épicerie fine, traiteur, traiteurs, feinkost, feinkostladen, gastronomia, salumeria, delikatesy, delikatessbutik, şarküteri, кулинария, 熟食店, デリ, 델리',
  dessert_shop:
    'dessert shop, dessert shops, patisserie, patisseries, pâtisserie, pâtisseries, pastelería, pastelerías, konditorei, konditoreien, pasticceria, pasticcerie, doceria, docerias, confeitaria, cukiernia, cukiernie, konditori, konditorier, pastane, pastaneler, кондитерская, кондитерские, 甜品店, スイーツ店, 디저트카페',
  ice_cream:
    'ice cream shop, ice cream shops, ice cream parlour, ice cream parlor, ice cream parlours, heladería, heladerías, glacier, glaciers, eisdiele, eisdielen, eiscafé, eiscafés, gelateria, gelaterie, gelaterias, sorveteria, sorveterias, ijssalon, ijssalons, lodziarnia, lodziarnie, glassbar, dondurmacı, кафе мороженое, 冰淇淋店, アイスクリーム屋, 아이스크림가게',
  brewery:
    'brewery, breweries, brewpub, brewpubs, cervecería artesanal, cervecerías artesanales, fábrica de cerveza, brasserie artisanale, brauerei, brauereien, brauhaus, brauhäuser, birrificio, birrifici, brouwerij, brouwerijen, browar, browary, bryggeri, bryggerier, пивоварня, пивоварни, 啤酒厂, 酿酒厂, 醸造所, 양조장',
  winery:
    'winery, wineries, vineyard, vineyards, bodega, bodegas, viñedo, viñedos, domaine viticole, domaines viticoles, vignoble, vignobles, weingut, weingüter, cantina, cantine, vinícola, vinícolas, adega, adegas, wijngaard, wijngaarden, winnica, winnice, vingård, vingårdar, şaraphane, bağ evi, винодельня, винодельни, 酒庄, 葡萄酒庄, ワイナリー, 와이너리',
  artwork:
    'artwork, artworks, public art, sculpture, sculptures, statue, statues, mural, murals, street art, obra de arte, obras de arte, escultura, esculturas, estatua, estatuas, œuvre d’art, œuvres d’art, kunstwerk, kunstwerke, skulptur, skulpturen, statuen, opera d’arte, opere d’arte, scultura, sculture, statua, statue, kunstwerken, beelden, rzeźba, rzeźby, skulpturer, heykel, heykeller, скульптура, скульптуры, статуи, 雕塑, 雕像, 彫刻, 조각상',
  concert_hall:
    'concert hall, concert halls, concert venue, concert venues, music venue, music venues, live music venue, live music venues, sala de conciertos, salas de conciertos, salle de concert, salles de concert, konzerthaus, konzerthäuser, konzertsaal, konzertsäle, sala da concerti, sale da concerto, sala de concertos, concertgebouw, concertzaal, filharmonia, sala koncertowa, konserthus, konser salonu, концертный зал, концертные залы, 音乐厅, コンサートホール, 콘서트홀',
  opera_house:
    'opera, operas, opera house, opera houses, ópera, óperas, teatro de ópera, opéra, opéras, oper, opernhaus, opernhäuser, teatro dell’opera, teatri d’opera, casa de ópera, operahuis, operahus, opera binası, опера, оперный театр, 歌剧院, オペラハウス, 오페라하우스',
  library:
    'library, libraries, biblioteca, bibliotecas, bibliothèque, bibliothèques, médiathèque, médiathèques, bibliothek, bibliotheken, bücherei, büchereien, biblioteche, bibliotheek, biblioteka, biblioteki, bibliotek, kütüphane, kütüphaneler, библиотека, библиотеки, 图书馆, 圖書館, 図書館, 도서관',
  stadium:
    'stadium, stadiums, arena, arenas, estadio, estadios, stade, stades, stadion, stadien, stadio, stadi, estádio, estádios, stadions, stadiony, stadyum, stadyumlar, стадион, стадионы, 体育场, 體育場, スタジアム, 경기장',
  casino:
    'casino, casinos, spielbank, spielbanken, spielcasino, casinò, cassino, cassinos, kasyno, kasyna, kasino, kasinon, kumarhane, kumarhaneler, казино, 赌场, 賭場, カジノ, 카지노',
  historic_site:
    'historic site, historic sites, historical site, historical sites, historical place, historical places, historic place, historic places, heritage site, heritage sites, sitio histórico, sitios históricos, lugares históricos, site historique, sites historiques, lieux historiques, historische stätte, historische stätten, historische orte, sito storico, siti storici, luoghi storici, sítio histórico, sítios históricos, historische plaats, historische plaatsen, zabytek, zabytki, historiska platser, tarihi yer, tarihi yerler, исторические места, памятники истории, 历史遗迹, 古迹, 史跡, 유적지',
  world_heritage:
    'world heritage, world heritage site, world heritage sites, unesco site, unesco sites, patrimonio mundial, patrimonio de la humanidad, patrimoine mondial, welterbe, welterbestätte, welterbestätten, weltkulturerbe, patrimonio mondiale, patrimonio dell’umanità, patrimônio mundial, werelderfgoed, światowe dziedzictwo, världsarv, dünya mirası, всемирное наследие, 世界遗产, 世界遺産, 세계유산',
  landmark:
    'landmark, landmarks, lugar emblemático, lugares emblemáticos, monument emblématique, monuments emblématiques, wahrzeichen, punti di riferimento, ponto turístico, pontos turísticos, bezienswaardigheid, landmärken, simge yapılar, 地标, ランドマーク, 랜드마크',
  place_of_worship:
    'place of worship, places of worship, shrine, shrines, synagogue, synagogues, lugar de culto, lugares de culto, sinagoga, sinagogas, lieu de culte, lieux de culte, gotteshaus, gotteshäuser, synagoge, synagogen, luogo di culto, luoghi di culto, gebedshuis, gebedshuizen, synagoga, synagogi, synagogor, ibadethane, sinagog, синагога, синагоги, 宗教场所, 神社, 예배당',
  temple:
    'temple, temples, templo, templos, tempel, tempio, templi, tempels, świątynia, świątynie, tapınak, tapınaklar, храм, храмы, 寺庙, 寺廟, 寺院, お寺, 사원, 절',
  mosque:
    'mosque, mosques, mezquita, mezquitas, mosquée, mosquées, moschee, moscheen, moschea, mesquita, mesquitas, moskee, moskeeën, meczet, meczety, moské, moskéer, cami, camiler, camii, мечеть, мечети, 清真寺, モスク, 모스크',
  cathedral:
    'cathedral, cathedrals, catedral, catedrales, cathédrale, cathédrales, kathedrale, kathedralen, dom, cattedrale, cattedrali, duomo, catedrais, kathedraal, katedra, katedry, domkyrka, domkyrkor, katedral, собор, соборы, 大教堂, 大聖堂, 대성당',
  palace:
    'palace, palaces, palacio, palacios, palais, palast, paläste, palazzo, palazzi, palácio, palácios, paleis, paleizen, pałac, pałace, palats, saray, saraylar, дворец, дворцы, 宫殿, 皇宫, 宮殿, 궁전, 궁궐',
  ruins:
    'ruin, ruins, ruina, ruinas, ruine, ruines, ruinen, rovine, ruínas, ruïne, ruïnes, ruiny, harabe, harabeler, руины, развалины, 废墟, 遺跡, 遺構, 폐허',
  archaeological_site:
    'archaeological site, archaeological sites, archeological site, archeological sites, yacimiento arqueológico, yacimientos arqueológicos, site archéologique, sites archéologiques, ausgrabungsstätte, ausgrabungsstätten, ausgrabungen, archäologische stätten, sito archeologico, siti archeologici, scavi, sítio arqueológico, sítios arqueológicos, archeologische site, stanowisko archeologiczne, ören yeri, antik kent, antik kentler, раскопки, 考古遗址, 考古遺跡, 고고학유적',
  memorial:
    'memorial, memorials, war memorial, war memorials, memoriales, mémorial, mémoriaux, gedenkstätte, gedenkstätten, ehrenmal, mahnmal, mahnmale, gedenkteken, gedenktekens, miejsce pamięci, minnesmärke, minnesmärken, мемориал, мемориалы, 纪念馆, 慰霊碑, 추모비, 기념비',
  tower:
    'tower, towers, torre, torres, turm, türme, torri, toren, torens, wieża, wieże, kule, kuleler, башня, башни, 塔楼, タワー, 타워',
  square:
    'square, squares, plaza, plazas, places publiques, plätze, piazza, piazze, praça, praças, plein, pleinen, place publique, rynek, torg, meydan, meydanlar, meydanı, площадь, площади, 广场, 廣場, 広場, 광장',
  bridge:
    'bridge, bridges, puente, puentes, pont, ponts, brücke, brücken, ponte, ponti, pontes, brug, bruggen, mosty, bro, broar, köprü, köprüler, мост, мосты, 桥, 橋, 다리',
  fountain:
    'fountain, fountains, fuente, fuentes, fontaine, fontaines, brunnen, fontana, fontane, chafariz, chafarizes, fontein, fonteinen, fontanna, fontanny, fontän, fontäner, çeşme, çeşmeler, фонтан, фонтаны, 喷泉, 噴水, 분수',
  lighthouse:
    'lighthouse, lighthouses, faros, phare, phares, leuchtturm, leuchttürme, fari, farol, faróis, vuurtoren, vuurtorens, latarnia morska, latarnie morskie, fyr, fyrar, fyrtorn, deniz feneri, deniz fenerleri, маяк, маяки, 灯塔, 灯台, 등대',
  theme_park:
    'theme park, theme parks, parque temático, parques temáticos, parc à thème, parcs à thème, themenpark, themenparks, parco a tema, parchi a tema, themapark, themaparken, pretpark, pretparken, park rozrywki, parki rozrywki, nöjespark, nöjesparker, tema parkı, тематический парк, парк развлечений, парки развлечений, 主题公园, テーマパーク, 테마파크',
  amusement_park:
    'amusement park, amusement parks, fun fair, fun fairs, parque de atracciones, parques de atracciones, parc d’attractions, parcs d’attractions, freizeitpark, freizeitparks, vergnügungspark, parco divertimenti, parchi divertimenti, luna park, parque de diversões, parques de diversões, attractiepark, wesołe miasteczko, tivoli, lunapark, парк аттракционов, парки аттракционов, 游乐园, 遊樂園, 遊園地, 놀이공원, 놀이동산',
  water_park:
    'water park, water parks, waterpark, waterparks, aquapark, aquaparks, parque acuático, parques acuáticos, parc aquatique, parcs aquatiques, wasserpark, erlebnisbad, spaßbad, parco acquatico, parchi acquatici, parque aquático, parques aquáticos, zwemparadijs, park wodny, äventyrsbad, su parkı, аквапарк, аквапарки, 水上乐园, 水上樂園, ウォーターパーク, 워터파크',
  garden:
    'garden, gardens, jardín, jardines, jardin, jardins, garten, gärten, giardino, giardini, jardim, jardins, tuin, tuinen, ogród, ogrody, trädgård, trädgårdar, bahçe, bahçeler, сад, сады, 花园, 花園, 庭園, 정원',
  botanical_garden:
    'botanical garden, botanical gardens, botanic garden, botanic gardens, jardín botánico, jardines botánicos, jardin botanique, jardins botaniques, botanischer garten, botanische gärten, orto botanico, orti botanici, giardino botanico, jardim botânico, jardins botânicos, botanische tuin, hortus, ogród botaniczny, botanisk trädgård, botanik bahçesi, ботанический сад, ботанические сады, 植物园, 植物園, 식물원',
  national_park:
    'national park, national parks, parque nacional, parques nacionales, parc national, parcs nationaux, nationalpark, nationalparks, parco nazionale, parchi nazionali, parques nacionais, nationaal park, nationale parken, park narodowy, parki narodowe, nationalparker, milli park, milli parklar, национальный парк, национальные парки, 国家公园, 國家公園, 国立公園, 국립공원',
  aquarium:
    'aquarium, aquariums, acuario, acuarios, aquarien, acquario, acquari, aquário, aquários, akwarium, oceanarium, akvarium, akvaryum, океанариум, аквариум, 水族馆, 水族館, 수족관, 아쿠아리움',
  natural_feature:
    'natural feature, natural features, natural wonders, nature, lakes, mountains, caves, naturaleza, lagos, montañas, cuevas, sites naturels, lacs, montagnes, grottes, naturwunder, berge, höhlen, laghi, montagne, grotte, natureza, montanhas, cavernas, meren, bergen, grotten, jeziora, góry, jaskinie, sjöar, berg, grottor, göller, dağlar, mağaralar, озёра, озера, горы, пещеры, 自然景观, 自然, 산, 호수',
  waterfall:
    'waterfall, waterfalls, cascada, cascadas, catarata, cataratas, cascade, cascades, chute d’eau, chutes d’eau, wasserfall, wasserfälle, cascata, cascate, cachoeira, cachoeiras, waterval, watervallen, wodospad, wodospady, vattenfall, şelale, şelaleler, водопад, водопады, 瀑布, 滝, 폭포',
  viewpoint:
    'viewpoint, viewpoints, lookout, lookouts, scenic view, scenic views, observation deck, observation decks, mirador, miradores, point de vue, points de vue, belvédère, belvédères, aussichtspunkt, aussichtspunkte, aussichtsturm, punto panoramico, punti panoramici, belvedere, mirante, mirantes, miradouro, miradouros, uitkijkpunt, uitkijkpunten, punkt widokowy, punkty widokowe, utsiktspunkt, utsiktspunkter, seyir terası, manzara noktası, смотровая площадка, смотровые площадки, 观景点, 观景台, 展望台, 전망대',
  ski_area:
    'ski area, ski areas, ski resort, ski resorts, ski slopes, estación de esquí, estaciones de esquí, station de ski, stations de ski, domaine skiable, skigebiet, skigebiete, comprensorio sciistico, stazione sciistica, stazioni sciistiche, estação de esqui, estações de esqui, skigebieden, stok narciarski, ośrodek narciarski, skidort, skidorter, skidanläggning, kayak merkezi, kayak merkezleri, горнолыжный курорт, горнолыжные курорты, 滑雪场, 滑雪場, スキー場, 스키장',
  marina:
    'marina, marinas, puerto deportivo, puertos deportivos, port de plaisance, ports de plaisance, jachthafen, jachthäfen, yachthafen, yachthäfen, porto turistico, porti turistici, jachthaven, jachthavens, przystań jachtowa, småbåtshamn, gästhamn, marinalar, yat limanı, марина, яхтенная марина, 游艇码头, マリーナ, 마리나',
  marketplace:
    'market, markets, marketplace, flea market, flea markets, street market, street markets, farmers market, farmers markets, night market, night markets, bazaar, bazaars, mercado, mercados, mercadillo, mercadillos, marché, marchés, marché aux puces, marchés aux puces, markt, märkte, flohmarkt, flohmärkte, markthalle, markthallen, mercato, mercati, feira, feiras, markten, rommelmarkt, targ, targi, bazar, marknad, marknader, pazar, pazarlar, çarşı, рынок, рынки, базар, 市场, 市場, 夜市, マーケット, 시장, 야시장',
  observatory:
    'observatory, observatories, observatorio, observatorios, observatoire, observatoires, sternwarte, sternwarten, planetarium, planetariums, osservatorio, osservatori, observatório, observatórios, sterrenwacht, obserwatorium, observatorium, gözlemevi, обсерватория, обсерватории, 天文台, 天文臺, 천문대',
  tour_operator:
    'tour operator, tour operators, tour company, tour companies, travel agency, travel agencies, tours, guided tours, operador turístico, agencia de viajes, agencias de viajes, visitas guiadas, voyagiste, voyagistes, agence de voyage, agences de voyage, visites guidées, reiseveranstalter, reisebüro, reisebüros, stadtführungen, agenzia viaggi, agenzie di viaggio, visite guidate, agência de viagens, agências de viagens, reisbureau, reisbureaus, rondleidingen, biuro podróży, biura podróży, resebyrå, resebyråer, tur şirketi, seyahat acentesi, турагентство, экскурсии, 旅行社, ツアー会社, 여행사',
  bus_station:
    'bus station, bus stations, bus terminal, bus terminals, bus stop, bus stops, coach station, estación de autobuses, estaciones de autobuses, terminal de autobuses, gare routière, gares routières, busbahnhof, busbahnhöfe, zob, stazione degli autobus, autostazione, rodoviária, rodoviárias, terminal de ônibus, busstation, busstations, dworzec autobusowy, busstationer, otogar, otobüs terminali, автовокзал, автовокзалы, 汽车站, 巴士站, バスターミナル, 버스터미널',
  metro_station:
    'metro station, metro stations, subway station, subway stations, metro, subway, underground station, underground stations, tube station, tube stations, estación de metro, estaciones de metro, station de métro, stations de métro, u bahn station, u bahn stationen, u bahnhof, u bahnhöfe, stazione della metropolitana, stazioni della metropolitana, stazione metro, estação de metrô, estações de metrô, estação de metro, metrostation, metrostations, stacja metra, stacje metra, tunnelbanestation, metro istasyonu, metro istasyonları, станция метро, станции метро, метро, 地铁站, 地鐵站, 地下鉄駅, 지하철역',
  tram_stop:
    'tram stop, tram stops, parada de tranvía, paradas de tranvía, arrêt de tram, arrêts de tram, straßenbahnhaltestelle, straßenbahnhaltestellen, fermata del tram, fermate del tram, parada de bonde, tramhalte, tramhaltes, przystanek tramwajowy, spårvagnshållplats, tramvay durağı, трамвайная остановка, 有轨电车站, 路面電車停留場, 트램정류장',
  transit_station:
    'public transport, transit station, transit stations, transporte público, transports en commun, haltestelle, haltestellen, nahverkehr, trasporto pubblico, openbaar vervoer, transport publiczny, kollektivtrafik, toplu taşıma, общественный транспорт, 公共交通, 交通枢纽, 대중교통',
  ferry_terminal:
    'ferry, ferries, ferry terminal, ferry terminals, ferry port, ferry ports, terminal de ferris, terminal de ferry, ferris, gare maritime, gares maritimes, fährhafen, fährhäfen, fährterminal, fähre, fähren, terminal traghetti, traghetti, terminal de balsas, balsas, veerhaven, veerboot, veerboten, promy, przystań promowa, färjeterminal, färja, färjor, feribot, feribot iskelesi, паром, паромы, паромный терминал, 渡轮码头, 轮渡, フェリーターミナル, フェリー, 여객선터미널',
  railway_station:
    'estación, estaciones, estación de ferrocarril, estación de trenes, gare sncf, stazione ferroviaria, estação de trem, estação de comboio, spoorwegstation, dworzec kolejowy, stacja kolejowa, tren garı, железнодорожный вокзал, железнодорожная станция, станция, 车站, 火車站',
  port: 'port, ports, seaport, seaports, cruise port, cruise ports, puerto, puertos, hafen, häfen, seehafen, porto, porti, portos, haven, havens, port morski, porty, hamn, hamnar, liman, limanlar, порт, порты, 港口, 항구',
  harbour: 'harbour, harbours, harbor, harbors, fishing harbour, fishing harbours, hafenbecken, 港湾, 漁港, 항만',
  taxi_stand:
    'taxi, taxis, taxi rank, taxi ranks, cab rank, parada de taxis, paradas de taxis, station de taxis, stations de taxis, taxistand, taxistände, posteggio taxi, stazione dei taxi, ponto de táxi, pontos de táxi, taxistandplaats, postój taksówek, taxistation, taksi, taksi durağı, такси, стоянка такси, 出租车站, タクシー乗り場, タクシー, 택시승강장, 택시',
  heliport:
    'heliport, heliports, helipad, helipads, helipuerto, helipuertos, héliport, héliports, hubschrauberlandeplatz, eliporto, eliporti, heliporto, heliportos, helihaven, lądowisko dla helikopterów, helikopterflygplats, helikopter pisti, вертолётная площадка, 直升机场, ヘリポート, 헬리포트',
  'geo:city':
    'cities, ciudades, villes, städte, città, cidades, steden, miasta, städer, şehirler, şehirleri, города, 城市, 都市, 도시',
  'geo:town':
    'towns, small towns, localidades, bourgs, kleinstädte, cittadine, vilas, stadjes, miasteczka, småstäder, kasabalar, городки, 城镇, 소도시',
  'geo:village':
    'villages, pueblos, dörfer, villaggi, borghi, aldeias, dorpen, wsie, wioski, byar, köyler, деревни, сёла, 村庄, 마을',
  'geo:hamlet': 'hamlets, caseríos, hameaux, weiler, lugarejos, gehuchten, przysiółki, mezralar, хутора',
  'geo:locality': 'localities, localités, ortschaften, località, plaatsen, miejscowości, orter',
  'geo:suburb':
    'suburbs, suburbios, banlieues, vororte, sobborghi, subúrbios, buitenwijken, przedmieścia, förorter, banliyöler, пригороды, 郊区, 郊外, 교외',
  'geo:borough':
    'boroughs, districts, distritos, arrondissements, stadtbezirke, bezirke, circoscrizioni, stadsdelen, dzielnice, stadsdelar, ilçeler, районы, округа, 市辖区',
  'geo:neighbourhood':
    'neighbourhoods, neighborhoods, barrios, quartiers, stadtviertel, viertel, quartieri, rioni, bairros, wijken, buurten, osiedla, stadsdelar, mahalleler, кварталы, 街区, 동네',
  'geo:island': 'islands, islas, îles, inseln, isole, ilhas, eilanden, wyspy, öar, adalar, острова, 岛屿, 島々, 섬들',
  'geo:region':
    'regions, regiones, régions, regionen, regioni, regiões, regio’s, regiony, regioner, bölgeler, регионы, области, 地区, 地方, 지역들',
  'geo:state':
    'states, estados, états, bundesstaaten, bundesländer, stati federati, deelstaten, stany, delstater, eyaletler, штаты, 州',
  'geo:county':
    'counties, condados, comtés, landkreise, kreise, contee, graafschappen, hrabstwa, powiaty, ilçeleri, графства, округи',
  'geo:country': 'countries, países, pays, länder, paesi, landen, kraje, ülkeler, страны, 国家, 国々, 나라들',
  'geo:continent':
    'continents, continentes, kontinente, continenti, continenten, kontynenty, kontinenter, kıtalar, континенты, 大洲, 大陸',
}

/** Category ids by phrase, its tokens joined by a space: those of category-words.ts, and of the words here. */
export const kindPhrases: ReadonlyMap<string, readonly string[]> = phrases()

const firstTokens = new Set([...kindPhrases.keys()].map(phrase => phrase.split(' ', 1)[0]!))

/** Returns true if a phrase of `kindPhrases` begins with a token. */
export const beginsKindPhrase = (token: string): boolean => firstTokens.has(token)

/** Kinds of sights that hotels and places to eat may contain. */
const amenities = new Set('casino spa nightlife nightclub golf_course ski_area marina marketplace'.split(' '))

/** Returns true for kinds of sights that are no part of hotels or places to eat. */
const isSight = (id: string): boolean => findTopLevelCategory(id) === 'ATTRACTION' && !amenities.has(id)

const isWord = (phrase: string): boolean => !phrase.includes(' ')

/** Words of equal meaning for a kind of sight, by category id: "castle", "château" and "castillo". */
const formsOfSights = new Map<string, readonly string[]>()
for (const [phrase, ids] of kindPhrases)
  for (const id of ids)
    if (isWord(phrase) && isSight(id)) formsOfSights.set(id, [...(formsOfSights.get(id) ?? []), phrase])

/** Returns the words that mean the same as a kind of sight in names, if the kind is one. */
export const sightForms = (ids: readonly string[]): readonly string[] | undefined =>
  ids.length === 1 ? formsOfSights.get(ids[0]!) : undefined

/** Number of tokens in the longest phrase. */
export const longestKindPhrase = Math.max(...[...kindPhrases.keys()].map(phrase => phrase.split(' ').length))

/** Adds the words here, and the ids, to the words of category-words.ts, which precede them. */
function phrases(): Map<string, readonly string[]> {
  const found = new Map<string, readonly string[]>()
  for (const [id, list] of Object.entries(words)) {
    const own = id.startsWith('geo:') || id === id.toUpperCase() ? [] : [id.replaceAll('_', ' ')]
    for (const phrase of [...own, ...list.split(', ')]) {
      const key = tokens(phrase).join(' ')
      const ids = found.get(key) ?? []
      if (!ids.includes(id)) found.set(key, [...ids, id])
    }
  }
  return new Map([...found, ...categoryPhrases])
}
