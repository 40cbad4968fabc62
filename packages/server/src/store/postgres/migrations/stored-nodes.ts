/**
 * `stored_by`: the process of a node that has folded its journal since it stores calls before their answers leave
 * of no meaning for another process. `replaced`: the process that `periplus cluster forget` has shut out,
 * until it has completed.
 */
export const storedNodesMigration = `
  ALTER TABLE cluster_nodes ADD COLUMN stored_by uuid, ADD COLUMN replaced uuid;
`
