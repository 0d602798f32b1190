import { expect, test } from 'vitest'
import { hostGuard } from './host-guard.ts'

test.each<[boolean, string | undefined, string | undefined]>([
  [true, 'shop.example', undefined],
  [true, 'shop.example:8443', 'https://shop.example'],
  [true, 'localhost:3000', 'http://localhost:5173'],
  [true, '127.0.0.1', ''],
  [true, '[::1]:3000', undefined],
  [false, undefined, undefined],
  [false, '', undefined],
  [false, 'evil.example', undefined],
  [false, 'shop.example.evil.example', undefined],
  [false, 'shop.example', 'https://evil.example'],
  [false, 'shop.example', 'null'],
  [false, 'shop.example', 'file:///x'],
])('%s for the host %s and the origin %s', (isAllowed, host, origin) => {
  expect(hostGuard('https://shop.example/base')({ host, origin })).toBe(isAllowed)
})
