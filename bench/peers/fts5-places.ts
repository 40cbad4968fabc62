import Database from 'better-sqlite3'
import type { SearchDocument } from '../../packages/server/src/search/index/document.ts'
import type { SearchPeer } from './search-peer.ts'

/**
 * Creates an SQLite FTS5 index with trigrams. It finds places that contain all words, otherwise those that share most
 * trigrams.
 */
export function fts5Places(): SearchPeer {
  const db = new Database('')
  db.exec(`
    CREATE VIRTUAL TABLE places USING fts5(names, around, tokenize = 'trigram remove_diacritics 1');
    CREATE TABLE facts (id INTEGER PRIMARY KEY, geo INTEGER, popularity REAL);
  `)
  const add = db.prepare('INSERT INTO places (rowid, names, around) VALUES (?, ?, ?)')
  const addFacts = db.prepare('INSERT INTO facts VALUES (?, ?, ?)')
  const find = db
    .prepare<[string, number], number>(
      `SELECT places.rowid FROM places JOIN facts ON facts.id = places.rowid
       WHERE places MATCH ? AND geo >= ? ORDER BY bm25(places, 3, 1) - popularity LIMIT 10`,
    )
    .pluck()
  return {
    name: 'SQLite FTS5 trigram',
    begin: () => db.exec('BEGIN'),
    add: (document: SearchDocument) => {
      const id = Number(document.id)
      add.run(id, document.names.join('\n'), document.surroundings.join('\n'))
      addFacts.run(id, document.category === 'GEO' ? 1 : 0, Math.log10(1 + document.population + document.ratingCount))
    },
    finish: () => {
      db.exec('COMMIT')
      db.exec("INSERT INTO places (places) VALUES ('optimize')")
    },
    megabytes: () => ((db.pragma('page_count', { simple: true }) as number) * 4096) / 1e6,
    search: (text, geoOnly) => {
      const words = text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
      const whole = words.filter(word => word.length > 2).map(quoted)
      const least = geoOnly ? 1 : 0
      if (whole.length > 0) {
        const found = find.all(whole.join(' AND '), least)
        if (found.length > 0) return found
      }
      const trigrams = new Set(
        words.flatMap(word => Array.from({ length: word.length - 2 }, (_, i) => word.slice(i, i + 3))),
      )
      return trigrams.size === 0 ? [] : find.all([...trigrams].map(quoted).join(' OR '), least)
    },
  }
}

const quoted = (word: string): string => `"${word}"`
