import { describe, expect, test } from 'vitest'
import { createLog } from './logs.ts'

const secret = 'hunter2hunter2'

function written(write: (log: ReturnType<typeof createLog>) => void): string {
  const lines: string[] = []
  write(createLog({ level: 'info', role: 'test', destination: { write: (line) => void lines.push(line) } }))
  expect(lines).not.toEqual([])
  return lines.join('')
}

const words = [
  ['api', 'key'],
  ['x', 'api', 'key'],
  ['stripe', 'api', 'key'],
  ['private', 'key'],
  ['card', 'number'],
  ['account', 'number'],
  ['security', 'code'],
  ['card', 'cvc'],
  ['access', 'token'],
  ['client', 'secret'],
  ['webhook', 'secret', 'previous'],
  ['user', 'password'],
  ['set', 'cookie'],
  ['proxy', 'authorization'],
  ['request', 'signature'],
  ['date', 'of', 'birth'],
  ['email'],
  ['e', 'mail'],
  ['phone', 'number'],
  ['pan'],
  ['cvv'],
] as const

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)
/** The ways in which people and libraries write a name of several words. */
const ways: readonly ((words: readonly string[]) => string)[] = [
  (all) => all.join('_'),
  (all) => all.join('-'),
  (all) => all.join(' '),
  (all) => all.join('.'),
  (all) => all.join(''),
  (all) => all.join('_').toUpperCase(),
  (all) => all.map(capital).join('-'),
  (all) => all.map(capital).join(''),
  (all) => all.map((word, index) => (index === 0 ? word : capital(word))).join(''),
]
const names = [...new Set(words.flatMap((all) => ways.map((way) => way(all))))]

/** The places in which a name and its value come into a line. */
const places: Readonly<Record<string, (name: string) => object>> = {
  'a field': (name) => ({ [name]: secret }),
  'a deep field': (name) => ({ a: { b: { c: { d: { e: { f: { [name]: secret } } } } } } }),
  'a field in a list': (name) => ({ list: [1, [{ [name]: secret }]] }),
  'a list of names and values': (name) => ({ headers: ['accept', '*/*', name, secret] }),
  'a list of pairs': (name) => ({
    headers: [
      ['accept', '*/*'],
      [name, secret],
    ],
  }),
  'a map of headers': (name) => ({ request: { headers: { [name]: [secret] } } }),
  'the query of an address': (name) => ({
    url: `https://shop.example/x?a=1&${encodeURIComponent(name)}=${secret}#y`,
  }),
  'an object of an address': (name) => ({
    at: new URL(`https://a.example/?${encodeURIComponent(name)}=${secret}`),
  }),
  'an error': (name) => ({ failed: Object.assign(new Error('x'), { [name]: secret }) }),
  'the cause of an error': (name) => ({
    err: new Error('outer', {
      cause: new Error(`GET /x?${encodeURIComponent(name)}=${secret} failed`, { cause: { [name]: secret } }),
    }),
  }),
}

describe.each(Object.entries(places))('no secret is written from %s', (_where, make) => {
  test.each(names)('that is named %s', (name) => {
    expect(written((log) => log.warn(make(name), 'said'))).not.toContain(secret)
    expect(written((log) => log.child(make(name)).warn('said'))).not.toContain(secret)
  })
})

test.each([
  `GET https://user:${secret}@shop.example/`,
  `https://shop.example/?next=%2Fx%3Ftoken%3D${secret}`,
  `Authorization: Bearer ${secret}`,
  `the key pr_sk_test_${secret} opens nothing`,
  `api_key=${secret};b=2`,
])('no secret is written from the words of a line or of an error: %s', (text) => {
  expect(written((log) => log.error({ err: new Error(text) }, text))).not.toContain(secret)
})

test('what is no secret is written as it is, and a line that nests without an end is cut', () => {
  const fields = {
    account_id: 'acct_1',
    url: 'https://shop.example/?page=2&sort=price',
    keyId: 'key_1',
    counts: [1, 2],
    hasSignature: true,
    company: 'x',
    token: null,
  }
  expect(JSON.parse(written((log) => log.info(fields, 'a=1 and b@c')))).toMatchObject({
    ...fields,
    msg: 'a=1 and b@c',
  })
  const endless: Record<string, unknown> = { name: 'x' }
  endless.self = endless
  expect(written((log) => log.info(endless, 'said'))).toContain('[too deep]')
})
