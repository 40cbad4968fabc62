import type { IdentityStores } from '../folder/identity.ts'
import type { Moved } from '../folder/moved.ts'
import { changeNode, createNodeIdentities } from '../folder/node-identity.ts'
import type { MovedDatabase } from './moved-rows.ts'

/** Names of the files that the stores of a folder are kept in after their contents have moved. */
export const keptSuffix = '.moved.bak'

/**
 * Makes a folder whose contents have moved that of the first node of the database: its journal continues, and its
 * stores are renamed. Can be repeated.
 */
export async function finishMove(
  root: string,
  { database, folder }: Moved,
  target: MovedDatabase,
  stores: IdentityStores,
): Promise<void> {
  await target.finish(database, folder.pepperCheck)
  createNodeIdentities(root).claimControl(folder.folderId)
  changeNode(root, { ...folder, storeId: folder.folderId, database, hasDroppedFiles: false })
  for (const store of ['data', 'control'] as const) stores.moveAway(store, folder.generation, keptSuffix)
}
