import { expect, test } from 'vitest'
import { decideRoute } from './decide-route.ts'
import type { FoundProtocol, RegistryChannel } from './found-protocol.ts'

const at = '2026-11-24T10:00:00.000Z'
const spoken = (protocol: 'ucp' | 'mpp', status: FoundProtocol['status'] = 'live'): FoundProtocol => ({
  protocol,
  status,
  last_checked_at: at,
  failures: 0,
  version: null,
  endpoints: [],
  capabilities: [],
  services: [],
  site_name: null,
  payment_methods: [],
  payment_instruments: [],
  payment_provenance: [],
  item_types: [],
  categories: [],
})
const entry = (found: FoundProtocol[], channel: RegistryChannel | null = null) => ({
  origin: 'https://shop.example',
  channel,
  found,
  looked_at: new Date(at),
})
const channelsOf = (known: Partial<Parameters<typeof decideRoute>[0]>) =>
  decideRoute({ mode: 'live', seller: null, entry: null, ...known }).map(({ channel }) => channel)

test.each([
  [
    'a merchant of ours is bought from as such, whatever the registry says',
    { seller: 'Rose', entry: entry([spoken('ucp')]) },
    ['native'],
  ],
  ['a host that nobody knows has no way in live mode', {}, []],
  ['and is simulated in test mode', { mode: 'test' }, ['simulated']],
  ['UCP goes before MPP', { entry: entry([spoken('mpp'), spoken('ucp')]) }, ['ucp', 'mpp']],
  [
    'what was found is used while it is only degraded',
    { entry: entry([spoken('ucp', 'degraded')]) },
    ['ucp'],
  ],
  [
    'and no more when it is unreachable or invalid',
    { entry: entry([spoken('ucp', 'unreachable'), spoken('mpp', 'invalid')]) },
    [],
  ],
  ['an operator may allow one way alone', { entry: entry([spoken('mpp'), spoken('ucp')], 'mpp') }, ['mpp']],
  ['also where it is not spoken', { entry: entry([spoken('ucp')], 'mpp') }, []],
  ['a browser is sent where the registry says so', { entry: entry([spoken('ucp')], 'browser') }, ['browser']],
  [
    'in test mode it is what is left at a site of the registry',
    { mode: 'test', entry: entry([spoken('ucp')]) },
    ['ucp', 'browser'],
  ],
  ['and in live mode it is not', { entry: entry([]) }, []],
] as const)('%s', (_, known, expected) => {
  expect(channelsOf(known as Parameters<typeof channelsOf>[0])).toEqual(expected)
})

test('each way says how it is known, and since when', () => {
  expect(decideRoute({ mode: 'live', seller: null, entry: entry([spoken('ucp', 'degraded')]) })).toEqual([
    { channel: 'ucp', why: 'https://shop.example speaks it, and did not at the last look', evidence_at: at },
  ])
})
