/** The time up to which the events of closed months have been added. */
export const closedMonthsMigration = 'ALTER TABLE cluster ADD COLUMN closed_to_ms bigint'
