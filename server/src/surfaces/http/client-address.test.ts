import { expect, test } from 'vitest'
import { countedAddress, createClientAddresses } from './client-address.ts'

const proxies = ['10.0.0.0/8', '192.0.2.7', '2001:db8:1::/48']

function clientOf(remoteAddress: string, forwarded?: string, trusted = proxies): string {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }
  return createClientAddresses(trusted).of({ headers, socket: { remoteAddress } })
}

test.each<[string, string, string | undefined, string]>([
  ['without a header the proxy itself is the client', '10.0.0.1', undefined, '10.0.0.1'],
  ['a proxy of ours is believed', '10.0.0.1', '203.0.113.9', '203.0.113.9'],
  ['a proxy of ours by its one address is believed', '192.0.2.7', '203.0.113.9', '203.0.113.9'],
  ['its neighbour is not', '192.0.2.8', '203.0.113.9', '192.0.2.8'],
  ['a stranger that claims to forward is not believed', '198.51.100.1', '203.0.113.9', '198.51.100.1'],
  [
    'addresses that a client wrote before the proxy are not believed',
    '10.0.0.1',
    '1.2.3.4, 203.0.113.9',
    '203.0.113.9',
  ],
  ['several proxies of ours are passed over', '10.0.0.1', '1.2.3.4, 203.0.113.9, 10.2.0.1', '203.0.113.9'],
  ['only proxies: the one that is farthest', '10.0.0.1', '10.1.1.1, 10.2.0.1', '10.1.1.1'],
  ['a hop that is no address ends the way', '10.0.0.1', '203.0.113.9, unknown', '10.0.0.1'],
  ['behind a proxy that wrote nonsense, the proxy', '10.0.0.1', '203.0.113.9, unknown, 10.2.0.1', '10.2.0.1'],
  ['a port is no part of it', '10.0.0.1', '203.0.113.9:4711', '203.0.113.9'],
  ['IPv6 in brackets', '10.0.0.1', '[2001:db8:2::1]:443', '2001:db8:2::1'],
  ['a proxy of IPv6', '2001:db8:1::5', '203.0.113.9', '203.0.113.9'],
  ['a proxy that a socket of both kinds tells', '::ffff:10.0.0.1', '203.0.113.9', '203.0.113.9'],
  ['a client that a socket of both kinds tells', '::ffff:198.51.100.1', undefined, '198.51.100.1'],
])('%s', (_, peer, forwarded, client) => {
  expect(clientOf(peer, forwarded)).toBe(client)
})

test('no header is believed where no proxy is named', () => {
  expect(clientOf('127.0.0.1', '203.0.113.9', [])).toBe('127.0.0.1')
})

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::ffff', '2001:db8:1:2::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['', ''],
])('%s counts as %s', (address, counted) => {
  expect(countedAddress(address)).toBe(counted)
})
