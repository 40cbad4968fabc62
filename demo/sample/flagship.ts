import { flagshipKey } from './famous.ts'
import { type Place, placeKey } from './place.ts'

/**
 * Names of the first place; the source has Spanish only. The names are those in common use, and the short descriptions
 * below were written for this project. ATTRIBUTION.md states both.
 */
const names: Readonly<Record<string, string>> = {
  es: 'Museo Nacional del Prado',
  en: 'Prado Museum',
  fr: 'Musée du Prado',
  de: 'Museo del Prado',
  it: 'Museo del Prado',
  pt: 'Museu do Prado',
  ja: 'プラド美術館',
  zh: '普拉多博物馆',
  ko: '프라도 미술관',
  ar: 'متحف برادو',
}

const descriptions: Readonly<Record<string, string>> = {
  en: 'Spain’s national art museum, opened in 1819 on the Paseo del Prado in Madrid. It is known for its Velázquez, Goya, Bosch, Titian and Rubens; allow at least three hours.',
  fr: 'Le musée national d’art espagnol, ouvert en 1819 sur le Paseo del Prado à Madrid, célèbre pour ses Vélasquez, Goya, Bosch, Titien et Rubens.',
  de: 'Das spanische Nationalmuseum der Malerei, 1819 am Paseo del Prado in Madrid eröffnet, berühmt für Velázquez, Goya, Bosch, Tizian und Rubens.',
  it: 'Il museo nazionale d’arte spagnolo, aperto nel 1819 sul Paseo del Prado a Madrid, celebre per Velázquez, Goya, Bosch, Tiziano e Rubens.',
  pt: 'O museu nacional de arte de Espanha, aberto em 1819 no Paseo del Prado, em Madrid, conhecido pelas obras de Velázquez, Goya, Bosch, Ticiano e Rubens.',
  ja: '1819年にマドリードのプラド通りに開館したスペインの国立美術館。ベラスケス、ゴヤ、ボス、ティツィアーノ、ルーベンスの作品で知られる。',
  zh: '西班牙国家级艺术博物馆，1819年在马德里普拉多大道开放，以委拉斯开兹、戈雅、博斯、提香和鲁本斯的作品闻名。',
}

/**
 * Completes the first place: names and descriptions in several languages, street, and machine-readable opening hours.
 */
export function completeFlagship(place: Place): Place {
  if (placeKey(place) !== flagshipKey) return place
  return {
    ...place,
    name: 'Museo Nacional del Prado',
    alt_name: 'Museo del Prado',
    names: { ...names, ...place.names },
    address: 'Paseo del Prado, s/n',
    descriptions: { ...place.descriptions, ...descriptions },
    opening_hours: 'Mo-Sa 10:00-20:00; Su 10:00-19:00; Jan 01,May 01,Dec 25 off; Jan 06,Dec 24,Dec 31 10:00-14:00',
    timezone: 'Europe/Madrid',
    status: 'OPEN',
  }
}
