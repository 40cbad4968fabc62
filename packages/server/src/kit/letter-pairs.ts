/** Letters that are also written as two. `æ` is always read as `ae`. */
const letterPairs: Readonly<Record<string, string>> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  å: 'aa',
  ø: 'oe',
  Ä: 'Ae',
  Ö: 'Oe',
  Ü: 'Ue',
  Å: 'Aa',
  Ø: 'Oe',
}

const pairable = /[äöüåøÄÖÜÅØ]/gu

/** Writes umlauts and the Nordic letters as two letters: "Düsseldorf" as "Duesseldorf". */
export const withLetterPairs = (text: string): string =>
  text.normalize('NFC').replace(pairable, letter => letterPairs[letter]!)
