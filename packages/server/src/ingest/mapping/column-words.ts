import type { RecordKind } from '../../domain/record-write.ts'

/** Words for the columns of places in German, French, Spanish, Italian, Portuguese, Japanese and Chinese. */
const locationWords: Readonly<Record<string, string>> = {
  source_id: 'kennung identifiant identificador identificativo 番号 编号 編號',
  name: 'bezeichnung nombre nom nome denominazione 名称 名前 名稱 店名 施設名',
  alt_name: 'alternativname autre_nom otro_nombre altro_nome outro_nome 別名 别名',
  lang: 'sprache langue idioma lingua 言語 语言',
  lat: 'breite breitengrad geographische_breite latitud latitudine 緯度 纬度',
  lon: 'länge längengrad geographische_länge longitud longitudine 経度 经度',
  coordinates: 'koordinaten coordonnées coordenadas coordinate_geografiche 座標 坐标',
  category: 'kategorie catégorie categoría categoria tipo カテゴリ カテゴリー 種別 类别 分类',
  subcategories: 'unterkategorie sous_catégorie subcategoría sottocategoria subcategoria サブカテゴリ 子类别',
  tags: 'schlagworte stichworte mots_clés etiquetas etichette palavras_chave タグ 标签',
  cuisine: 'küche cocina cucina cozinha 料理 菜系',
  country: 'land pays país pais paese nazione 国 国名 国家',
  region:
    'bundesland kanton région région_administrative département provincia estado comunidad_autónoma regione 都道府県 省 省份 州',
  city: 'stadt ort gemeinde ville commune ciudad población_localidad municipio localidad città comune cidade município localidade 市区町村 都市 城市',
  postal_code: 'plz postleitzahl code_postal cp código_postal cap codice_postale cep 郵便番号 邮编 邮政编码',
  address:
    'adresse anschrift straße rue voie dirección domicilio calle indirizzo via endereço morada rua 住所 所在地 地址',
  house_number: 'hausnummer hausnr numéro_de_rue número_de_calle numero_civico civico 番地 门牌号',
  neighbourhood: 'stadtteil ortsteil quartier barrio colonia quartiere bairro 地区 街区',
  phone: 'telefon telefonnummer téléphone teléfono telefono telefone 電話 電話番号 电话',
  url: 'webseite internetseite site_web page_web sitio_web página_web sito sito_web ウェブサイト 网站 网址',
  email:
    'courriel adresse_email correo correo_electrónico posta_elettronica correio_eletrónico メール メールアドレス 邮箱 电子邮件',
  hours:
    'öffnungszeiten horaires heures_d_ouverture horario horarios orari orario_di_apertura horário horários 営業時間 营业时间',
  description: 'beschreibung descripción descripcion descrizione descrição 説明 描述 简介',
  stars: 'sterne étoiles estrellas stelle estrelas 星級 星级',
  rooms: 'zimmer zimmerzahl chambres nombre_de_chambres habitaciones camere quartos 客室数 房间数',
  price: 'preis prix precio prezzo preço 価格 价格',
  price_level: 'preisklasse gamme_de_prix nivel_de_precio fascia_di_prezzo faixa_de_preço 価格帯 价格等级',
  rating: 'bewertung note_moyenne valoración puntuación valutazione voto avaliação 評価 评分',
  review_count:
    'anzahl_bewertungen nombre_d_avis número_de_reseñas numero_recensioni número_de_avaliações レビュー数 评论数',
  status: 'betriebsstatus statut situación stato_attività situação 状態 状态 营业状态',
  closed_date: 'geschlossen_am date_de_fermeture fecha_de_cierre data_di_chiusura data_de_encerramento 閉店日 关闭日期',
  population: 'einwohner einwohnerzahl habitants población abitanti popolazione população habitantes 人口',
  timezone: 'zeitzone fuseau_horaire zona_horaria huso_horario fuso_orario fuso_horário タイムゾーン 时区',
  photos:
    'foto fotos bild bilder bild_url foto_url immagine immagini imagen imágenes imagem imagens 写真 画像 图片 照片',
  license: 'lizenz licencia licenza licença ライセンス 许可证',
}

/** Words for the columns of reviews in the same languages. */
const reviewWords: Readonly<Record<string, string>> = {
  source_id: 'bewertungs_id id_avis id_reseña id_recensione id_avaliação レビューid 评论id',
  place_source_id: 'ort_id id_lieu id_lugar id_luogo id_local 場所id 店舗id 地点id',
  rating:
    'bewertung sterne note étoiles puntuación calificación estrellas voto valutazione stelle nota estrelas 評価 评分',
  title: 'titel überschrift titre título titolo タイトル 标题',
  text: 'rezension bewertungstext kommentar avis commentaire reseña comentario opinión recensione commento comentário レビュー 口コミ 评论 评价',
  lang: 'sprache langue idioma lingua 言語 语言',
  published_date:
    'datum veröffentlicht_am date_de_publication fecha fecha_de_publicación data data_di_pubblicazione data_de_publicação 投稿日 日付 日期',
  travel_date:
    'reisedatum besuchsdatum date_de_visite fecha_de_visita data_della_visita data_da_visita 訪問日 访问日期',
  trip_type: 'reiseart type_de_voyage tipo_de_viaje tipo_di_viaggio tipo_de_viagem 旅行タイプ 旅行类型',
  user_name: 'autor verfasser nutzername auteur nom_d_utilisateur usuario autore utente usuário 投稿者 用户 用户名',
  owner_response: 'antwort réponse respuesta risposta resposta 返信 回复',
}

/** Words for columns in other languages than English, by field, separated by spaces. */
export const columnWords: Readonly<Record<RecordKind, Readonly<Record<string, string>>>> = {
  location: locationWords,
  review: reviewWords,
}
