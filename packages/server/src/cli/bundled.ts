export { bundledFile, packageVersion } from '../kit/bundled.ts'
