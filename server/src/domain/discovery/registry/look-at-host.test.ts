import { expect, test } from 'vitest'
import { profileAt } from '../../../../test/harness/registry-sites.ts'
import type { Egress } from '../../../platform/egress/egress.ts'
import { lookAtHost } from './look-at-host.ts'

const now = new Date('2026-11-26T12:00:00Z')

/** A network in which these addresses answer, and everything else is not there. */
function network(documents: Readonly<Record<string, object>>) {
  const asked: { url: string; mode: string; timeoutMs: number }[] = []
  const egress = {
    async request({ url, mode, timeoutMs }: (typeof asked)[number]) {
      asked.push({ url, mode, timeoutMs })
      const document = documents[url]
      return {
        status: document ? 200 : 404,
        headers: { 'content-type': 'application/json', 'cache-control': 'public, max-age=3600' },
        body: Buffer.from(document ? JSON.stringify(document) : ''),
      }
    },
  }
  return { asked, egress: egress as unknown as Egress } // a look makes requests and nothing else
}

const place = { host: 'buy.shop.example', domain: 'shop.example' }
const hostsOf = (asked: readonly { url: string }[]) => [...new Set(asked.map(({ url }) => new URL(url).host))]

test('the host of the item is looked at first, and nothing else where it speaks a protocol', async () => {
  const origin = 'https://buy.shop.example'
  const { asked, egress } = network({ [`${origin}/.well-known/ucp`]: profileAt(origin) })
  const seen = await lookAtHost(egress, place, { mode: 'live', now })
  expect(seen).toMatchObject({ host: place.host, origin, found: [{ protocol: 'ucp', status: 'live' }] })
  expect(hostsOf(asked)).toEqual(['buy.shop.example'])
  expect(new Set(asked.map(({ mode, timeoutMs }) => `${mode} ${timeoutMs}`))).toEqual(new Set(['live 2000']))
})

test('then the domain, with and without www; where none speaks a protocol, nothing is found', async () => {
  const origin = 'https://www.shop.example'
  const { egress } = network({ [`${origin}/.well-known/ucp`]: profileAt(origin) })
  expect(await lookAtHost(egress, place, { mode: 'live', now })).toMatchObject({ host: place.host, origin })
  const silent = network({ 'https://shop.example/.well-known/ucp': { hello: 'world' } })
  expect(await lookAtHost(silent.egress, place, { mode: 'live', now })).toEqual({
    host: place.host,
    origin: 'https://buy.shop.example',
    found: [],
  })
  expect(hostsOf(silent.asked)).toEqual(['buy.shop.example', 'shop.example', 'www.shop.example'])
})
