import { expect, test } from 'vitest'
import { form } from './form.ts'

const keyField = { name: 'key', label: 'API key', type: 'password' } as const

test('a secret gets neither into the URL by a filter, nor by a form whose script does not run', () => {
  expect(() => form({ action: '/', button: 'Send', method: 'get', fields: [keyField] })).toThrow('into the URL')
  expect(form({ action: '/', button: 'Send', method: 'dialog', fields: [keyField] }).text).toContain(
    '<form method="dialog"',
  )
})
