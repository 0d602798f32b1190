import { format, inspect } from 'node:util'
import { expect, test } from 'vitest'
import { Secret } from './secret.ts'

const canary = 'whsec_canary4711'
const secret = new Secret(canary)

test('only reveal gives the value', () => {
  expect(secret.reveal()).toBe(canary)
})

test.each<[string, string]>([
  ['String()', String(secret)],
  ['toString', secret.toString()],
  ['template', `${secret}`],
  ['concatenation', `x${secret}`],
  ['JSON', JSON.stringify({ secret, list: [secret] })],
  ['inspect', inspect({ deep: { secret } }, { showHidden: true, depth: 9, getters: true })],
  ['format %s', format('%s', secret)],
  ['format %o', format('%o %O %j', secret, secret, secret)],
  ['error message', String(new Error(`bad ${secret}`))],
  ['spread', JSON.stringify({ ...secret })],
  ['own keys', JSON.stringify(Object.entries(secret))],
  ['clone', inspect(structuredClone({ ...secret }))],
])('%s does not show the value', (_way, text) => {
  expect(text).not.toContain('canary')
})
