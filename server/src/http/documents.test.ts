import { expect, test } from 'vitest'
import { bestCoding } from './documents.ts'

test.each([
  [undefined, 'identity'],
  ['', 'identity'],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip, deflate', 'gzip'],
  ['x-gzip', 'gzip'],
  ['br;q=0.5, gzip;q=0.9', 'gzip'],
  ['br;q=0, gzip;q=0', 'identity'],
  ['*', 'br'],
  ['*;q=0.5, br;q=0', 'gzip'],
  ['identity, gzip;q=0.2', 'identity'],
  ['br;q=0.0, *;q=0', 'identity'],
  ['BR ; Q=1', 'br'],
  ['zstd', 'identity'],
  ['gzip;q=nonsense', 'identity'],
])('%s is answered as %s', (accept, coding) => {
  expect(bestCoding(accept)).toBe(coding)
})
