import { expect, test } from 'vitest'
import { readCookies } from './hosted-pages.ts'

test.each<[string, Record<string, string>]>([
  ['a=1; b=2', { a: '1', b: '2' }],
  ['a=1; a=1', { a: '1' }],
  ['a=planted; a=ours; b=2', { b: '2' }],
  ['a=1; a=2; a=1', {}],
  ['a=x=y', { a: 'x=y' }],
  ['', {}],
])('of the cookies %s those that say one thing are read', (header, cookies) => {
  expect(Object.fromEntries(readCookies(header))).toEqual(cookies)
})
