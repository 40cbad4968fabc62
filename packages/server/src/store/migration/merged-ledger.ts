/**
 * The files of the journals of all nodes with the numbers that they get in a data folder, which one process continues:
 * by the time of their last call, so that retention removes them in their order. A file without a copy in the blobs is
 * lost with the folder of its node.
 */
const numberedFiles = `
  SELECT row_number() OVER (ORDER BY f.last_ms, f.first_ms, f.node, f.file) AS number, f.*, j.bytes AS shipped_bytes,
    j.sha256, f.state = 'present' AND coalesce(j.bytes, 0) >= f.bytes AS is_shipped
  FROM usage_files f LEFT JOIN journal_files j ON j.node = f.node AND j.file = f.file
  WHERE f.bytes > 0 OR f.calls > 0`

/** Selects the files of the journal of a data folder; file 0 never exists. */
export const mergedFiles = `(
  SELECT number AS file, bytes, calls, first_ms, last_ms,
    CASE WHEN state = 'present' AND NOT is_shipped THEN 'lost' ELSE state END COLLATE "C" AS state
  FROM (${numberedFiles}) numbered
  UNION ALL SELECT 0, 0, 0, NULL, 0, 'dropped')`

/** Selects the copies in the blobs of the files of the journal of a data folder. */
export const mergedCopies = `
  SELECT number, node::text, file, shipped_bytes AS bytes, sha256 FROM (${numberedFiles}) numbered
  WHERE is_shipped ORDER BY number`

/** Selects the position in the journal of a data folder. Its clock is that of the node with the last call. */
export const mergedPosition = `(
  SELECT coalesce(
      (SELECT file || ':' || bytes FROM ${mergedFiles} files WHERE file > 0 ORDER BY files.file DESC LIMIT 1), '1:0'
    ) AS position,
    last_ms, last_shift_ms, start_ms, NULL AS boot_id, NULL AS boot_us, coalesce(behind_ms, 0) AS behind_ms
  FROM (SELECT 1) one LEFT JOIN LATERAL (
    SELECT last_ms, last_shift_ms, start_ms, behind_ms FROM usage_position ORDER BY last_ms DESC NULLS LAST LIMIT 1
  ) newest ON true)`
