import type { RecordKind } from '../../domain/record-write.ts'

/**
 * Common column names of each field, separated by spaces, most reliable first. Names are compared without case,
 * accents, spaces and punctuation. `columnWords` has those in other languages. `geometry` and `coordinates` contain latitude and longitude in one column.
 */
const locationAliases: Readonly<Record<string, string>> = {
  id: 'location_id',
  source: 'provider dataset data_source',
  source_id:
    'place_id poi_id venue_id listing_id business_id hotel_id restaurant_id external_id osm_id @id uid uuid guid gid fid objectid geonameid ref key',
  name: 'title place_name location_name venue_name business_name listing_name hotel_name poi_name display_name official_name label',
  names: 'translations',
  alt_name: 'alternate_name alternate_names alternative_name alternative_names aliases aka other_names',
  lang: 'language locale',
  lat: 'latitude y geo_lat gps_lat gps_latitude coord_y lat_dd',
  lon: 'longitude lng long x geo_lon geo_lng gps_lon gps_lng gps_longitude coord_x lon_dd',
  coordinates:
    'coordinate coords coord lat_lon lat_lng latlong latitude_longitude lon_lat lng_lat long_lat geo_point geo_point_2d gps position point location',
  geometry: 'geom the_geom wkt wkb_geometry shape',
  category: 'type kind category_name main_category primary_category place_type amenity tourism',
  subcategories: 'subcategory categories_secondary secondary_categories',
  tags: 'keywords labels',
  cuisine: 'cuisines',
  country: 'country_code cc iso_country iso2 country_iso country_iso2 addr_country',
  region: 'state province state_province admin1 addr_state addr_province county',
  city: 'town locality municipality city_name addr_city town_city',
  postal_code: 'post_code zip zip_code addr_postcode postalcode',
  address: 'addr street street_address address_line_1 address_1 addr_street full_address formatted_address',
  house_number: 'housenumber street_number addr_housenumber addr_house_number',
  neighbourhood: 'neighborhood district quarter suburb',
  phone: 'tel telephone phone_number contact_phone',
  url: 'website web homepage site contact_website web_site link',
  email: 'mail e_mail email_address contact_email',
  hours: 'business_hours hours_text',
  opening_hours: 'open_hours opening_times',
  description: 'desc about summary overview',
  descriptions: '',
  stars: 'star_rating hotel_stars star_class',
  rooms: 'room_count number_of_rooms num_rooms',
  price: 'price_range',
  price_level: '',
  rating: 'average_rating avg_rating rating_average overall_rating review_score review_scores_rating score',
  review_count: 'reviews num_reviews number_of_reviews reviews_count rating_count user_ratings_total',
  subratings: '',
  status: 'operating_status business_status',
  closed_date: 'date_closed closed_on closed_at',
  reopen_date: 'reopening_date date_reopen reopens_on',
  population: 'pop inhabitants',
  timezone: 'tz time_zone',
  photos:
    'photo photo_url photo_urls image image_url image_urls images picture picture_url picture_urls pictures main_image',
  photo_caption: 'image_caption picture_caption',
  photo_attribution: 'photo_credit photo_author image_attribution image_credit picture_credit',
  photo_license: 'photo_licence image_license image_licence',
  iata: 'iata_code',
  icao: 'icao_code',
  wikidata: 'wikidata_id',
  license: 'licence',
  deleted: 'is_deleted',
  merged_into: 'duplicate_of',
}

const reviewAliases: Readonly<Record<string, string>> = {
  id: '',
  source: 'provider dataset data_source',
  source_id: 'review_id uid uuid guid key',
  location_id: '',
  place_source_id: 'place_id poi_id venue_id listing_id business_id hotel_id restaurant_id gmap_id',
  place_source: '',
  rating: 'stars score review_rating overall',
  title: 'headline subject review_title',
  text: 'review review_text body comment comments content description',
  lang: 'language locale',
  published_date:
    'date published published_at publish_date publish_ts review_date created_at created date_published timestamp',
  travel_date: 'visit_date date_of_visit stay_date date_of_travel',
  trip_type: 'traveler_type traveller_type travel_type',
  user_id: 'author_id reviewer_id',
  user_name: 'username author author_name reviewer reviewer_name user',
  owner_response: 'response reply management_response',
  url: 'link review_url',
  subratings: '',
  photos: 'photo photo_url photo_urls image image_url image_urls images picture pictures picture_urls',
  photo_caption: '',
  photo_attribution: 'photo_credit image_credit',
  photo_license: 'photo_licence image_license',
  license: 'licence',
  deleted: 'is_deleted',
}

/** Fields without other column names. */
export const fieldsWithoutAliases: Readonly<Record<RecordKind, string>> = {
  location:
    'latitude longitude addresses categories attributes phone_numbers urls accommodation attributions neighborhoods ' +
    'awards rankings external_ids traveler_ratings concordances geo geo_id nearest_city official_email recommended_visit_length ' +
    'merged_into_source merged_into_source_id neighborhood',
  review: 'publish_ts user',
}

/** Other names of the fields of each kind, separated by spaces, the most reliable first. */
export const columnAliases: Readonly<Record<RecordKind, Readonly<Record<string, string>>>> = {
  location: locationAliases,
  review: reviewAliases,
}
