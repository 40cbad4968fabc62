/** Mean radius of the Earth in kilometres (IUGG R1), as required by rulings: Operations. */
export const earthRadiusKm = 6371.0088

const radians = Math.PI / 180

/** Returns the great-circle distance of two points in kilometres, by the haversine formula (Sinnott 1984). */
export function distanceKm(latitude: number, longitude: number, toLatitude: number, toLongitude: number): number {
  const latitudes = Math.sin(((toLatitude - latitude) * radians) / 2)
  const longitudes = Math.sin(((toLongitude - longitude) * radians) / 2)
  const cosines = Math.cos(latitude * radians) * Math.cos(toLatitude * radians)
  const h = latitudes * latitudes + cosines * longitudes * longitudes
  return 2 * earthRadiusKm * Math.asin(Math.min(1, Math.sqrt(h)))
}
