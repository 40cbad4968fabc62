import { Option } from 'commander'
import { feedNames } from '../domain/feed.ts'

/** Returns the option that selects feeds. */
export const feedOption = (): Option =>
  new Option('--feed <name...>', 'only these feeds; repeatable').choices([...feedNames])
