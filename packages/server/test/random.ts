export { createRandom as random } from '../src/kit/random.ts'
