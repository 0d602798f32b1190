import { expect, test } from 'vitest'
import shipped from './payment-hosts.json' with { type: 'json' }
import {
  PaymentHostsFault,
  readPaymentHosts,
  shippedPaymentHosts,
  withPaymentHosts,
} from './payment-hosts.ts'

test('what comes along is right, names each host once, says what it was read from, and has none of the sandbox', () => {
  expect(readPaymentHosts(shipped).faults).toEqual([])
  expect(shippedPaymentHosts.size).toBe(shipped.length)
  for (const { host, company, source } of shipped) {
    expect([company, source].every((text) => text.length > 3)).toBe(true)
    expect(host).not.toMatch(/\.(?:test|example|localhost)$/)
  }
  // Hosts of several companies in each role: the list was read, and not only its beginning.
  for (const [host, role] of [
    ['js.stripe.com', 'frame'],
    ['sis.redsys.es', 'page'],
    ['link.mul-pay.jp', 'page'],
    ['hooks.stripe.com', 'acs'],
  ] as const)
    expect(shippedPaymentHosts.get(host)?.has(role)).toBe(true)
})

test.each([
  ['https://pay.example.com', /leave https/],
  ['pay.example.com/card', /leave https/],
  ['pay.example.com:8443', /leave https/],
  ['user@pay.example.com', /leave https/],
  ['*.example.com', /named exactly/],
  ['Pay.Example.com', /write pay\.example\.com/],
  ['pay.example.com.', /ends with a dot/],
  ['páy.example.com', /write xn--py-mia\.example\.com/],
  ['10.0.0.1', /an address/],
  ['[::1]', /an address/],
  ['::1', /an address/],
  ['2130706433', /no host name/],
  ['0x7f.1', /no host name/],
  ['127.1', /no host name/],
  ['localhost', /no host name/],
  ['-pay.example.com', /no host name/],
  ['pay_card.example.com', /no host name/],
  ['pay..example.com', /no host name/],
  ['', /no host name/],
  [`${'a'.repeat(64)}.example.com`, /no host name/],
  ['co.uk', /below which others/],
  ['myshopify.com', /below which others/],
])('a host that is written %j is refused in words', (host, words) => {
  const { hosts, faults } = readPaymentHosts([{ host, roles: ['page'] }])
  expect(hosts).toEqual([])
  expect(faults).toEqual([expect.stringMatching(words)])
})

test.each([
  [{}, /no list/],
  ['[]', /no list/],
  [null, /no list/],
  [['pay.example.com'], /no object/],
  [[null], /no object/],
  [[{ roles: ['page'] }], /no host/],
  [[{ host: 'pay.example.com' }], /no roles/],
  [[{ host: 'pay.example.com', roles: 'page' }], /no roles/],
  [[{ host: 'pay.example.com', roles: [] }], /no roles/],
  [[{ host: 'pay.example.com', roles: ['card'] }], /has the role "card"/],
  [[{ host: 'pay.example.com', roles: ['page', 'acs'] }], /acs stands alone/],
  [[{ host: 'pay.example.com', roles: ['page'], role: 'page' }], /has "role"/],
  [Array.from({ length: 1_001 }, () => ({ host: 'pay.example.com', roles: ['page'] })), /more than 1000/],
])('a list such as %j is refused in words', (list, words) => {
  expect(readPaymentHosts(list).faults).toEqual([expect.stringMatching(words)])
})

test('each wrong entry is told with its number, and the right ones are read', () => {
  const read = readPaymentHosts([
    { host: 'pay.example.com', roles: ['page', 'frame'] },
    { host: 'PAY', roles: ['page'] },
    { host: 'xn--py-mia.example.com', roles: ['acs'], company: 'Example', source: 'their letter' },
    7,
  ])
  expect(read.hosts).toEqual([
    { host: 'pay.example.com', roles: ['frame', 'page'] },
    { host: 'xn--py-mia.example.com', roles: ['acs'] },
  ])
  expect(read.faults).toEqual([expect.stringMatching(/^entry 2 /), expect.stringMatching(/^entry 4 /)])
})

test('a host can be given another role, but where a bank asks no card is typed, whoever says so', () => {
  const more = withPaymentHosts(shippedPaymentHosts, [{ host: 'js.mollie.com', roles: ['page'] }])
  expect(more.get('js.mollie.com')).toEqual(new Set(['frame', 'page']))
  expect(() =>
    withPaymentHosts(shippedPaymentHosts, [{ host: 'hooks.stripe.com', roles: ['page'] }]),
  ).toThrow(PaymentHostsFault)
})
