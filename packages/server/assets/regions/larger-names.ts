/**
 * Names of larger regions in other languages, which neither Natural Earth nor CLDR has: the nations of the United
 * Kingdom, and the regions of Belgium, France, Italy and Spain; by code, separated by `|`.
 */
export const largerNames: Readonly<Record<string, string>> = {
  'GB-ENG':
    'England|Engeland|Inglaterra|Angleterre|Inghilterra|Anglia|İngiltere|Англия|英格兰|英格蘭|イングランド|잉글랜드|إنجلترا|Αγγλία',
  'GB-NIR':
    'Nordirland|Irlande du Nord|Irlanda del Norte|Irlanda del Nord|Irlanda do Norte|Noord-Ierland|Irlandia Północna|Kuzey İrlanda|Северная Ирландия|Північна Ірландія|北爱尔兰|北愛爾蘭|北アイルランド|북아일랜드|أيرلندا الشمالية|أيرلاندا الشمالية|Βόρεια Ιρλανδία|उत्तरी आयरलैंड|N. Ireland|Tuaisceart Éireann',
  'GB-SCT':
    'Schottland|Écosse|Escocia|Scozia|Escócia|Schotland|Szkocja|Skottland|İskoçya|Шотландия|苏格兰|蘇格蘭|スコットランド|스코틀랜드|اسكتلندا|Σκωτία',
  'GB-WLS':
    'Wales|Pays de Galles|Gales|País de Gales|Galles|Walia|Galler|Уэльс|威尔士|威爾斯|ウェールズ|웨일스|웨일즈|ويلز|Ουαλία|Cymru',
  'BE-VLG':
    'Vlaanderen|Flandern|Flandre|Flandes|Fiandre|Flandres|Flandria|Flandra|Фландрия|佛兰德|佛蘭德|フランドル|플란데런|Vlaams Gewest|Région flamande',
  'BE-WAL':
    'Wallonie|Wallonien|Valonia|Vallonia|Valónia|Wallonië|Walonia|Valonya|Валлония|瓦隆|ワロン|왈롱|Région wallonne',
  'ES-AN':
    'Andalusien|Andalousie|Andalusia|Andaluzia|Andalusië|Andaluzja|Endülüs|Андалусия|安达卢西亚|安達魯西亞|アンダルシア|안달루시아|الأندلس|Ανδαλουσία',
  'ES-AR': 'Aragonien|Aragona|Aragão|Aragonië|Aragonia|Арагон|阿拉贡|アラゴン|아라곤',
  'ES-AS': 'Asturien|Asturies|Asturie|Astúrias|Asturië|Asturia|Астурия|阿斯图里亚斯|アストゥリアス|아스투리아스',
  'ES-CB': 'Kantabrien|Cantabrie|Cantábria|Cantabrië|Kantabria|Кантабрия|坎塔布里亚|カンタブリア|칸타브리아',
  'ES-CL':
    'Kastilien und León|Castille-et-León|Castiglia e León|Castela e Leão|Castilië en León|Kastylia i León|Кастилия и Леон|卡斯蒂利亚和莱昂|カスティーリャ・イ・レオン',
  'ES-CM':
    'Kastilien-La Mancha|Castille-La Manche|Castiglia-La Mancia|Castela-Mancha|Castilië-La Mancha|Kastylia-La Mancha|Кастилия — Ла-Манча|卡斯蒂利亚-拉曼恰',
  'ES-CN':
    'Canarias|Islas Canarias|Kanarische Inseln|Kanaren|Îles Canaries|Canaries|Isole Canarie|Canarie|Ilhas Canárias|Canárias|Canarische Eilanden|Wyspy Kanaryjskie|Kanarieöarna|Kanarya Adaları|Канарские острова|加那利群岛|カナリア諸島|카나리아 제도|جزر الكناري|Κανάριοι Νήσοι|Canaries Islands|the Canaries',
  'ES-CT':
    'Catalunya|Katalonien|Catalogne|Catalogna|Catalunha|Catalonië|Katalonia|Katalonya|Каталония|加泰罗尼亚|加泰隆尼亞|カタルーニャ|카탈루냐|كتالونيا|Καταλονία',
  'ES-EX': 'Estrémadure|Эстремадура|埃斯特雷马杜拉|エストレマドゥーラ',
  'ES-GA': 'Galicien|Galice|Galizia|Galiza|Galicië|Galicja|Галисия|加利西亚|ガリシア|갈리시아',
  'ES-MD':
    'Comunidad de Madrid|Communauté de Madrid|Autonome Gemeinschaft Madrid|Comunità di Madrid|Comunidade de Madrid|Community of Madrid',
  'ES-PV':
    'Baskenland|Pays basque|Paesi Baschi|País Basco|Euskadi|Kraj Basków|Baskien|Bask Bölgesi|Страна Басков|巴斯克|バスク|바스크',
  'ES-VC':
    'Comunidad Valenciana|Comunitat Valenciana|Valencianische Gemeinschaft|Communauté valencienne|Comunità Valenciana|Comunidade Valenciana|Valencia Community|País Valencià',
  'FR-ARA':
    'Auvergne-Rhône-Alpes|Alvernia-Ródano-Alpes|Alvernia-Rodano-Alpi|Овернь — Рона — Альпы|奥弗涅-罗讷-阿尔卑斯',
  'FR-BFC':
    'Bourgogne-Franche-Comté|Burgund-Franche-Comté|Borgoña-Franco Condado|Borgogna-Franca Contea|Borgonha-Franco-Condado',
  'FR-BRE': 'Bretagne|Bretaña|Bretagna|Bretanha|Bretania|Breizh|Бретань|布列塔尼|ブルターニュ|브르타뉴|بريتاني|Βρετάνη',
  'FR-COR': 'Corse|Korsika|Córcega|Corsica|Córsega|Korsyka|Корсика|科西嘉|コルシカ|코르시카|كورسيكا|Κορσική',
  'FR-CVL': 'Centre-Val de Loire|Centro-Valle de Loira|Centro-Valle della Loira|Centro-Vale do Loire|Zentrum-Loiretal',
  'FR-GES': 'Grand Est|Gran Este|Großer Osten|Гранд-Эст|大东部',
  'FR-HDF': 'Hauts-de-France|Alta Francia|Alta França|О-де-Франс|上法兰西|オー＝ド＝フランス',
  'FR-IDF':
    'Île-de-France|Isla de Francia|Isola di Francia|Ilha de França|Иль-де-Франс|法兰西岛|イル＝ド＝フランス|일드프랑스',
  'FR-NAQ':
    'Nouvelle-Aquitaine|Neu-Aquitanien|Nueva Aquitania|Nuova Aquitania|Nova Aquitânia|Nieuw-Aquitanië|New Aquitaine|Новая Аквитания|新阿基坦|ヌーヴェル＝アキテーヌ',
  'FR-NOR':
    'Normandie|Normandy|Normandía|Normandia|Normandië|Normandiya|Нормандия|诺曼底|諾曼第|ノルマンディー|노르망디|نورماندي|Νορμανδία',
  'FR-OCC': 'Occitanie|Okzitanien|Occitania|Occitânia|Occitanië|Oksytania|Окситания|奥克西塔尼|オクシタニー|옥시타니',
  'FR-PAC':
    'Provence-Alpes-Côte d’Azur|Provenza-Alpes-Costa Azul|Provenza-Alpi-Costa Azzurra|Provença-Alpes-Costa Azul|Прованс — Альпы — Лазурный Берег|PACA',
  'FR-PDL': 'Pays de la Loire|Países del Loira|Paesi della Loira|País do Loire|Земли Луары|卢瓦尔河地区',
  'IT-21': 'Piemont|Piémont|Piamonte|Piëmont|Piyemonte|Пьемонт|皮埃蒙特|ピエモンテ|피에몬테',
  'IT-23':
    'Aostatal|Vallée d’Aoste|Valle de Aosta|Vale de Aosta|Dolina Aosty|Aostadalen|Валле-д’Аоста|瓦莱达奥斯塔|ヴァッレ・ダオスタ',
  'IT-25':
    'Lombardei|Lombardie|Lombardía|Lombardy|Lombardije|Lombardiet|Lombardiya|Ломбардия|伦巴第|倫巴底|ロンバルディア|롬바르디아',
  'IT-32':
    'Trentino-Südtirol|Trentin-Haut-Adige|Trentino-Alto Adigio|Trentino-Zuid-Tirol|Trydent-Górna Adyga|Sydtyrolen|Трентино — Альто-Адидже|特伦蒂诺-上阿迪杰',
  'IT-34': 'Venetien|Vénétie|Véneto|Vêneto|Wenecja Euganejska|Венето|威尼托|ヴェネト|베네토',
  'IT-36':
    'Friaul-Julisch Venetien|Frioul-Vénétie Julienne|Friuli-Venecia Julia|Friuli-Veneza Júlia|Friuli-Wenecja Julijska|Фриули — Венеция-Джулия',
  'IT-42': 'Ligurien|Ligurie|Ligúria|Ligurië|Лигурия|利古里亚|リグーリア|리구리아',
  'IT-45':
    'Émilie-Romagne|Emilia-Romaña|Emília-Romanha|Emilia-Romania|Эмилия-Романья|艾米利亚-罗马涅|エミリア＝ロマーニャ',
  'IT-52':
    'Toskana|Toscane|Toscana|Tuscany|Toscânia|Toskania|Тоскана|托斯卡纳|托斯卡尼|トスカーナ|토스카나|توسكانا|Τοσκάνη',
  'IT-55': 'Umbrien|Ombrie|Úmbria|Umbrië|Умбрия|翁布里亚|ウンブリア|움브리아',
  'IT-57': 'Marken|Marches|Las Marcas|Le Marche|Марке|马尔凯|マルケ|마르케',
  'IT-62': 'Latium|Lacio|Lácio|Lacjum|Лацио|拉齐奥|拉吉歐|ラツィオ|라치오',
  'IT-65': 'Abruzzen|Abruzzes|Abruzos|Abruzja|Abruzzi|Абруццо|阿布鲁佐|アブルッツォ',
  'IT-67': 'Молизе|莫利塞|モリーゼ',
  'IT-72': 'Kampanien|Campanie|Campânia|Kampania|Campanië|Кампания|坎帕尼亚|カンパニア|캄파니아',
  'IT-75': 'Puglia|Apulien|Pouilles|Pulla|Apúlia|Apulië|Апулия|普利亚|プッリャ|풀리아',
  'IT-77': 'Basilikata|Basilicate|Базиликата|巴西利卡塔|バジリカータ',
  'IT-78': 'Kalabrien|Calabre|Calábria|Kalabria|Calabrië|Калабрия|卡拉布里亚|カラブリア|칼라브리아',
  'IT-82':
    'Sicilia|Sizilien|Sicile|Sicília|Sicilië|Sycylia|Sicilien|Sicilya|Сицилия|西西里|西西里岛|シチリア|시칠리아|صقلية|Σικελία',
  'IT-88':
    'Sardegna|Sardinien|Sardaigne|Cerdeña|Sardenha|Sardinië|Sardynia|Sardinya|Сардиния|撒丁|撒丁岛|サルデーニャ|사르데냐|سردينيا|Σαρδηνία',
}
