export { fold } from '../../kit/fold.ts'
