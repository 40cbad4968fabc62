/**
 * Preload of the test processes and threads: keeps their priority, because a thread of low priority hardly runs on a
 * busy machine.
 */

import { syncBuiltinESMExports } from 'node:module'
import os from 'node:os'

os.setPriority = () => {}
syncBuiltinESMExports()
