/** A source of records, with the attribution that its licence requires. */
export interface Source {
  readonly title: string
  readonly url: string
  readonly licence: string
  readonly licenceUrl: string
  readonly statement: string
}

const ccBy = { licence: 'CC BY 4.0', licenceUrl: 'https://creativecommons.org/licenses/by/4.0/' }
const singapore = {
  url: 'https://data.gov.sg',
  licence: 'Singapore Open Data Licence 1.0',
  licenceUrl: 'https://data.gov.sg/open-data-licence',
}
const singaporeTerms = 'which is made available under the terms of the Singapore Open Data Licence version 1.0.'

/** All sources, by the `source` of their records. `attribution.ts` fails on a record of another source. */
export const sources: Readonly<Record<string, Source>> = {
  esmadrid: {
    title: 'Ayuntamiento de Madrid, tourism open data',
    url: 'https://datos.madrid.es',
    licence: 'Reuse under Law 37/2007: commercial use allowed, attribution required',
    licenceUrl: 'https://datos.madrid.es/egob/catalogo/aviso-legal',
    statement:
      'Origen de los datos: Ayuntamiento de Madrid. The city takes no part in this project and does not endorse it.',
  },
  wikidata: {
    title: 'Wikidata, through the geocoder-tester project',
    url: 'https://www.wikidata.org',
    licence: 'CC0 1.0',
    licenceUrl: 'https://creativecommons.org/publicdomain/zero/1.0/',
    statement: 'Structured data from Wikidata, dedicated to the public domain.',
  },
  whosonfirst: {
    title: 'Who’s On First, venues',
    url: 'https://whosonfirst.org',
    licence: 'CC BY 4.0 for Who’s On First, CC0 for the SimpleGeo places in it',
    licenceUrl: 'https://whosonfirst.org/docs/licenses/',
    statement:
      'Data from Who’s On First; its venues come from SimpleGeo’s places, which are dedicated to the public domain.',
  },
  whosonfirst_admin: {
    title: 'Who’s On First, countries and regions',
    url: 'https://whosonfirst.org',
    licence: 'CC BY 4.0',
    licenceUrl: 'https://whosonfirst.org/docs/licenses/',
    statement: 'Data from Who’s On First, which is based on many open sources, including GeoNames and Wikidata.',
  },
  geonames: {
    title: 'GeoNames',
    url: 'https://www.geonames.org',
    ...ccBy,
    statement: 'Contains data from GeoNames (www.geonames.org), licensed under CC BY 4.0.',
  },
  opentraveldata: {
    title: 'OpenTravelData',
    url: 'https://github.com/opentraveldata/opentraveldata',
    ...ccBy,
    statement:
      'Contains data of the OpenTravelData contributors, which are based on GeoNames, licensed under CC BY 4.0.',
  },
  overture: {
    title: 'Overture Maps Foundation, places',
    url: 'https://overturemaps.org',
    licence: 'CDLA-Permissive-2.0',
    licenceUrl: 'https://cdla.dev/permissive-2-0/',
    statement:
      'Contains places of the Overture Maps Foundation, overturemaps.org. The text of the agreement is at the link in this row.',
  },
  sg_hotels: {
    title: 'Singapore, hotels',
    ...singapore,
    statement: `Contains information from Hotels of the Singapore Tourism Board, ${singaporeTerms}`,
  },
  sg_tourism: {
    title: 'Singapore, tourist attractions',
    ...singapore,
    statement: `Contains information from Tourist Attractions of the Singapore Tourism Board, ${singaporeTerms}`,
  },
  sg_hawker: {
    title: 'Singapore, hawker centres',
    ...singapore,
    statement: `Contains information from Hawker Centres of the National Environment Agency, ${singaporeTerms}`,
  },
  dc_hotels: {
    title: 'Open Data DC, hotels',
    url: 'https://opendata.dc.gov',
    ...ccBy,
    statement: 'Contains data of the Government of the District of Columbia (Open Data DC), licensed under CC BY 4.0.',
  },
}
