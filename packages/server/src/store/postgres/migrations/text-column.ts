/** The type of a column whose texts are compared by their bytes, as SQLite does. */
export const text = 'text COLLATE "C"'
