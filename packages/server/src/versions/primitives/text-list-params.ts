import { Type } from '../../kit/json-schema.ts'
import { InvalidParameter, type Param, type ParamDocs, splitLists } from './param.ts'

interface TextListOptions extends ParamDocs {
  /** Maximum number of different texts. */
  readonly maximum: number
  /** Maximum number of characters of a text. */
  readonly length: number
}

/**
 * Creates a parameter for any number of texts, as a repeated parameter; with `splits`, commas separate texts, too.
 * Surrounding whitespace is removed and duplicates are dropped.
 */
function createTextList({ maximum, length, ...docs }: TextListOptions, splits: boolean): Param<readonly string[]> {
  return {
    schema: Type.Array(Type.String({ minLength: 1, maxLength: length, pattern: '\\S' }), {
      minItems: 1,
      maxItems: maximum,
    }),
    description: docs.description,
    aliases: docs.aliases ?? [],
    required: false,
    isRepeated: !splits,
    read: sent => {
      const texts = new Set((splits ? splitLists(sent) : sent).map(text => text.trim()))
      if (texts.has('')) return new InvalidParameter('must not be empty', '')
      const long = [...texts].find(text => [...text].length > length)
      if (long !== undefined)
        return new InvalidParameter(`has ${[...long].length} characters; at most ${length} are allowed`, long)
      return texts.size <= maximum
        ? [...texts]
        : new InvalidParameter(`contains ${texts.size} values; at most ${maximum} are allowed`)
    },
  }
}

/** Creates a parameter for texts without commas, repeated or as a comma-separated list. */
export const textList = (options: TextListOptions): Param<readonly string[]> => createTextList(options, true)

/** Creates a parameter for texts, which may have commas: only repeated. */
export const repeatedTexts = (options: TextListOptions): Param<readonly string[]> => createTextList(options, false)
