import type { Id } from '../../domain/id.ts'
import type { Sqlite } from '../connection.ts'
import { createOverrides, type OverrideRow, type StoredOverrides } from '../rows/override-rules.ts'

/** Opens the overrides in control.sqlite. */
export function createSqliteOverrides(control: Sqlite): StoredOverrides {
  const any = control.prepare<[], number>('SELECT EXISTS (SELECT 1 FROM overrides)').pluck()
  const of = control
    .prepare<[Id], OverrideRow>('SELECT * FROM overrides WHERE location = ? ORDER BY field')
    .safeIntegers()
  const setImported = control.prepare('UPDATE overrides SET imported = ? WHERE location = ? AND field = ?')
  return createOverrides({
    exist: () => any.get() === 1,
    of: id => of.all(id),
    setImported: ({ location, field }, imported) => void setImported.run(imported, location, field),
    parseJson: text => control.parseJson(text),
  })
}
