import { splitValues, type Tags } from './osm-category.ts'

const commons = 'https://commons.wikimedia.org/wiki/'
const filePage =
  /^(?:https?:\/\/commons\.(?:m\.)?wikimedia\.org\/wiki\/)?(File|Datei|Fichier|Archivo|Image|Bild):(.+)$/i

/** Reads the photos of `image` and `wikimedia_commons`; categories and other pages of Commons are not pictures. */
export function readPhotos(tags: Tags): object[] {
  return ['image', 'wikimedia_commons'].flatMap(tag =>
    splitValues(tags[tag]).flatMap(value => {
      const file = filePage.exec(value)?.[2]
      if (file !== undefined) return [ofCommons(file)]
      return tag === 'image' && /^https?:/i.test(value) ? [{ url: value }] : []
    }),
  )
}

/** Returns the picture behind the page of a file, which has its author and licence. */
function ofCommons(text: string): object {
  const name = encodeURIComponent(decode(text).trim().replaceAll(' ', '_'))
  return {
    url: `${commons}Special:FilePath/${name}`,
    attribution: 'Wikimedia Commons',
    source_url: `${commons}File:${name}`,
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
