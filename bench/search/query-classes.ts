import { addressClasses } from './classes/addresses.ts'
import { cityClasses } from './classes/cities.ts'
import { formClasses } from './classes/forms.ts'
import { idleWordClasses } from './classes/idle-words.ts'
import { kindClasses } from './classes/kinds.ts'
import { furtherNameClasses, nameClasses } from './classes/names.ts'
import { sightClasses } from './classes/sights.ts'
import { spellingClasses } from './classes/spelling.ts'
import { transportClasses } from './classes/transport.ts'
import type { Makers, Random } from './classes/trial.ts'
import type { World } from './classes/world.ts'

/** Returns the classes of a subject; a class is missing if the data has no places for it. */
type Subject = (world: World, random: Random) => Makers

/** Query classes by subject, in the order of reports. */
export const subjects: Readonly<Record<string, Subject>> = {
  names: ({ places }, random) => nameClasses(places, random),
  'further names': ({ places }, random) => furtherNameClasses(places, random),
  cities: cityClasses,
  spelling: spellingClasses,
  transport: transportClasses,
  sights: sightClasses,
  'idle words': idleWordClasses,
  kinds: kindClasses,
  addresses: addressClasses,
  forms: formClasses,
}
