export { isBigram, maxTokenLength, maxTokens, tokens } from '../../kit/tokens.ts'
