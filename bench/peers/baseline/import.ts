import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type { Programs } from './programs.ts'
import { runSql } from './stores.ts'

/** Columns of a place from a record of the flat format, and the id that an import of Periplus would give it. */
const createPlaces = `
  CREATE TABLE places AS
  SELECT row_number() OVER (ORDER BY number) AS id,
    r->>'name' AS name, r->>'category' AS category, (r->>'lat')::float8 AS latitude, (r->>'lon')::float8 AS longitude,
    r->>'country' AS country, r->>'region' AS region, r->>'city' AS city, r->>'address' AS address,
    (r->>'rating')::float8 AS rating, (r->>'review_count')::int AS review_count, (r->>'population')::bigint AS population,
    lower(r->>'name') COLLATE "C" AS folded
  FROM (SELECT number, line::jsonb AS r FROM lines) AS records
  WHERE r ? 'lat';
  DROP TABLE lines;
  ALTER TABLE places ADD PRIMARY KEY (id);
  CREATE INDEX ON places (folded);`

/** Spatial column and its index, with PostGIS and without it. */
const createSpots = {
  postgis: `
    CREATE EXTENSION postgis;
    ALTER TABLE places ADD COLUMN spot geography(Point);
    UPDATE places SET spot = ST_MakePoint(longitude, latitude)::geography;`,
  plain: `
    ALTER TABLE places ADD COLUMN spot point;
    UPDATE places SET spot = point(longitude, latitude);`,
}

/**
 * Imports a file of places in the flat format, gzipped or not, and builds the indexes. Returns the number of places.
 */
export async function importPlaces(programs: Programs, folder: string, file: string): Promise<number> {
  runSql(programs, folder, 'CREATE UNLOGGED TABLE lines (number bigserial, line text)')
  await copyLines(programs, folder, file)
  const spots = programs.hasPostgis ? createSpots.postgis : createSpots.plain
  const finish = 'CREATE INDEX ON places USING gist (spot); VACUUM FULL ANALYZE places;'
  runSql(programs, folder, createPlaces + spots + finish)
  return Number(runSql(programs, folder, 'SELECT count(*) FROM places'))
}

/** Copies the lines of the file into the table; quote and delimiter are characters that JSON text does not contain. */
async function copyLines({ postgres }: Programs, folder: string, file: string): Promise<void> {
  const copy = String.raw`\copy lines (line) FROM pstdin WITH (FORMAT csv, QUOTE E'\x01', DELIMITER E'\x02')`
  const args = ['-X', '-q', '-v', 'ON_ERROR_STOP=1', '-h', folder, '-U', 'bench', '-c', copy, 'postgres']
  const child = spawn(join(postgres, 'psql'), args, { stdio: ['pipe', 'ignore', 'inherit'] })
  const end = once(child, 'exit')
  const source = createReadStream(file)
  if (file.endsWith('.gz')) await pipeline(source, createGunzip(), child.stdin)
  else await pipeline(source, child.stdin)
  const [status] = await end
  if (status !== 0) throw new Error(`The places could not be copied: psql ended with status ${status}.`)
}
