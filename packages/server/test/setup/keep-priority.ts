/**
 * Loaded first in the processes and threads of the tests: they keep their priority, because a thread of low priority
 * gets next to nothing of a busy machine.
 */

import { syncBuiltinESMExports } from 'node:module'
import os from 'node:os'

os.setPriority = () => {}
syncBuiltinESMExports()
