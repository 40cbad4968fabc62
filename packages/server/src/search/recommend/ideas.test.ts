import { describe, expect, test } from 'vitest'
import { fold } from '../../kit/fold.ts'
import { tokens } from '../../kit/tokens.ts'
import { wideningSteps } from '../query/similar-kinds.ts'
import { diversify } from './diversity.ts'
import { ideaMatcher } from './idea-matcher.ts'
import { ideasIn } from './ideas.ts'

const ideas = (text: string) => ideasIn(tokens(text), () => false)
const polarity = (query: string, sentence: string) => ideaMatcher(ideas(query)[0]!).polarityIn(fold(sentence))

describe('ideas of a query (R-153)', () => {
  test.each<[string, string[]]>([
    ['quiet room', ['quiet', 'room']],
    ['street food', ['street food']],
    ['a place for remote work', ['remote work']],
    ['peaceful and quiet', ['peaceful']],
    ['with a swimming pool', ['swimming pool']],
    ['where can i find good ramen', ['ramen']],
    ['the best ramen', ['ramen']],
    ['what to do when it rains', ['rains']],
    ['东京 一緒に楽しめる', ['东京']],
    ['!!!', []],
  ])('%s: %j', (text, expected) => expect(ideas(text).map(idea => idea.text)).toEqual(expected))

  test.each<[string, boolean]>([
    ['without stairs', false],
    ['not noisy', false],
    ['without karaoke', true],
    ['no pool', true],
    ['karaoke', false],
  ])('%s excludes it: %s', (text, isUnwanted) => expect(ideas(text)[0]!.isUnwanted).toBe(isUnwanted))
})

describe('sentences for and against an idea', () => {
  test.each<[query: string, sentence: string, polarity: number]>([
    ['quiet', 'A calm and quiet courtyard.', 1],
    ['quiet', 'It was not quiet at all.', -1],
    ['quiet', 'Very noisy at night.', -1],
    ['quiet', 'Not noisy at all.', 1],
    ['quiet', 'Not cheap, but quiet.', 1],
    ['quiet', 'Zimmer sehr ruhig.', 1],
    ['quiet', 'Das Zimmer war nicht ruhig.', -1],
    ['quiet', 'Habitación sin ruido.', 1],
    ['ruhig', 'Un endroit calme.', 1],
    ['quiet', '房间很安静', 1],
    ['quiet', '房间不安静', -1],
    ['quiet', '静かではない', -1],
    ['quiet', '조용하지 않아요', -1],
    ['quiet', 'The breakfast was good.', 0],
    ['not noisy', 'A peaceful street.', 1],
    ['without stairs', 'There are many stairs.', -1],
    ['without stairs', 'There is a lift.', 1],
    ['without karaoke', 'Loud karaoke all night.', -1],
    ['without karaoke', 'No karaoke here.', 1],
    ['without long queues', 'We had to wait in a queue.', -1],
    ['without long queues', 'No queue at all.', 1],
    ['mit kindern', 'Perfect for the whole family.', 1],
    ['wheelchair', 'Difícil com cadeira de rodas.', -1],
    ['조용한 곳', '방이 조용해요', 1],
    ['fast wifi', 'The fastest train in Spain.', 0],
  ])('%s: "%s" %d', (query, sentence, expected) => expect(polarity(query, sentence)).toBe(expected))
})

test('kinds widen to similar ones, then to their top level, then to any', () => {
  const [asked, similar, top, any] = wideningSteps(['bed_and_breakfast'])
  expect(asked).toEqual(['bed_and_breakfast'])
  expect(similar).toContain('guesthouse')
  expect(similar).not.toContain('hotel')
  expect(top).toContain('HOTEL')
  expect(any).toEqual([])
  expect(wideningSteps(['RESTAURANT'])).toEqual([['RESTAURANT'], []])
  expect(wideningSteps([])).toEqual([[]])
})

const at = (score: number, more: object = {}) => ({ score, latitude: score, longitude: 0, ...more })

test('places of another kind come before similar ones of almost the same score', () => {
  const [one, two, other] = [at(0.9, { kind: 'bar' }), at(0.89, { kind: 'bar' }), at(0.88, { kind: 'cafe' })]
  expect(diversify([one, two, other], 3)).toEqual([one, other, two])
})

test('at most two of a brand are among five results while there are others', () => {
  const chain = [0.99, 0.98, 0.97, 0.96].map(score => at(score, { brand: 'A' }))
  const others = [0.3, 0.2, 0.1].map(score => at(score))
  const chosen = diversify([...chain, ...others], 6)
  expect(chosen.slice(0, 5).filter(place => 'brand' in place)).toHaveLength(2)
  expect(chosen).toHaveLength(6)
})
