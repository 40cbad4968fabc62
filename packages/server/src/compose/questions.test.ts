import { expect, test } from 'vitest'
import { type Answer, Asker, answerQuestion, type Question } from './questions.ts'

type Api = { readonly read: (name: string) => Promise<string> }
const api: Api = { read: async name => `the requests of ${name}` }

test('a thread does not take the answer to the thread before it for its own', async () => {
  const questions: Question[] = []
  const answerTo = (question: Question): Promise<Answer> => answerQuestion(api, question)
  const ended = new Asker<Api>(question => questions.push(question))
  void ended.ask('read', 'one partner')
  const started = new Asker<Api>(question => questions.push(question))
  const answer = started.ask('read', 'another partner')
  for (const question of questions) started.receive(await answerTo(question))
  expect(await answer).toBe('the requests of another partner')
})
