import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readConfig } from '../../platform/config/config.ts'
import { addedPaymentHosts, paymentHostsTrouble } from './payment-hosts-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'prokura-payment-hosts-'))
const file = join(folder, 'hosts.json')
afterAll(() => rmSync(folder, { recursive: true }))

const config = readConfig({ PROKURA_PAYMENT_HOSTS: file })

test('without the setting none are added, and the hosts of a right file are', () => {
  expect(addedPaymentHosts(readConfig({}))).toEqual([])
  const hosts = [{ host: 'pay.example.com', roles: ['page'] }]
  writeFileSync(file, JSON.stringify(hosts))
  expect(addedPaymentHosts(config)).toEqual(hosts)
  expect(paymentHostsTrouble(config)).toBeNull()
})

test.each<[string, string, RegExp]>([
  ['is no JSON', 'pay.example.com', /it is not JSON\.$/],
  ['is no list', '{}', /it is no list/],
  ['has a wrong host', '[{"host":"10.0.0.1","roles":["page"]}]', /entry 1 .* is an address/],
  ['takes cards where a bank asks', '[{"host":"hooks.stripe.com","roles":["frame"]}]', /acs stands alone\.$/],
  ['has much that is wrong', JSON.stringify(Array(12).fill(7)), /entry 10 is no object; and 2 more\.$/],
])('a file that %s is told with its name and its fault', (_what, text, words) => {
  writeFileSync(file, text)
  const trouble = paymentHostsTrouble(config)
  expect(trouble).toContain(`PROKURA_PAYMENT_HOSTS names ${file}`)
  expect(trouble).toMatch(words)
  expect(() => addedPaymentHosts(config)).toThrow(words)
})

test('a file that is not there is told as well', () => {
  rmSync(file)
  expect(paymentHostsTrouble(config)).toContain(file)
})
