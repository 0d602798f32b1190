import { expect, test } from 'vitest'
import { decideLook } from './decide-look.ts'
import type { FoundProtocol, ProtocolStatus, PublishedProtocol, SeenProtocol } from './found-protocol.ts'

const now = new Date('2026-03-01T12:00:00Z')
const said = (
  methods: string[],
  source: 'merchant_profile' | 'challenge_402' = 'merchant_profile',
): PublishedProtocol => ({
  version: '2026-08-25',
  endpoints: [],
  capabilities: [],
  services: [],
  site_name: null,
  payment_methods: methods,
  payment_instruments: [],
  payment_provenance: methods.map((method) => ({ method, source, observed_at: '2026-02-01T00:00:00.000Z' })),
  item_types: [],
  categories: [],
})
const before = (status: ProtocolStatus, failures = 0): FoundProtocol => ({
  ...said([]),
  protocol: 'ucp',
  status,
  failures,
  last_checked_at: '2026-02-01T00:00:00.000Z',
})
const seen = (outcome: SeenProtocol['outcome']): SeenProtocol =>
  outcome === 'valid' ? { protocol: 'ucp', outcome, said: said([]) } : { protocol: 'ucp', outcome }

type Row = [before: FoundProtocol | null, outcome: SeenProtocol['outcome'], after: ProtocolStatus | null]
test.each<Row>([
  [null, 'valid', 'live'],
  [null, 'invalid', 'invalid'],
  [null, 'absent', null],
  [null, 'failed', null],
  [before('live'), 'valid', 'live'],
  [before('live'), 'invalid', 'invalid'],
  [before('live'), 'absent', 'degraded'],
  [before('live'), 'failed', 'degraded'],
  [before('degraded', 5), 'failed', 'degraded'],
  [before('degraded', 6), 'failed', 'unreachable'],
  [before('degraded', 6), 'absent', 'unreachable'],
  [before('degraded', 6), 'invalid', 'invalid'],
  [before('degraded', 3), 'valid', 'live'],
  [before('unreachable', 9), 'failed', 'unreachable'],
  [before('unreachable', 9), 'valid', 'live'],
  [before('unreachable', 1), 'failed', 'unreachable'],
  [before('invalid', 1), 'failed', 'invalid'],
  [before('invalid', 6), 'failed', 'unreachable'],
  [before('invalid', 2), 'valid', 'live'],
])('%o, then %s: %s', (known, outcome, after) => {
  const facts = { channel: null, found: known ? [known] : [], failures: 0, now }
  const { found } = decideLook(facts, { protocols: [seen(outcome)], evidence: [] })
  expect(found[0]?.status ?? null).toBe(after)
})

test('an entry for one protocol keeps it, also where it was never found', () => {
  const facts = { channel: 'ucp', found: [], failures: 0, now } as const
  for (const outcome of ['absent', 'failed'] as const)
    expect(decideLook(facts, { protocols: [seen(outcome)], evidence: [] }).found).toMatchObject([
      { status: 'unreachable' },
    ])
})

test.each([
  [0, 1],
  [1, 2],
  [2, 4],
  [4, 16],
  [5, 24],
  [1000, 24],
])('after %i looks that failed, the next failure is followed by a look in %i hours', (failures, hours) => {
  const { dueAt, failures: counted } = decideLook(
    { channel: null, found: [before('live')], failures, now },
    { protocols: [seen('failed')], evidence: [] },
  )
  expect([counted, (Number(dueAt) - now.getTime()) / 3_600_000]).toEqual([failures + 1, hours])
})

test('one protocol that fails shortens the wait, and does not touch the other', () => {
  const mpp: FoundProtocol = { ...before('live'), protocol: 'mpp' }
  const protocols: SeenProtocol[] = [seen('valid'), { protocol: 'mpp', outcome: 'failed' }]
  const { found, dueAt } = decideLook(
    { channel: null, found: [before('live'), mpp], failures: 0, now },
    { protocols, evidence: [] },
  )
  expect(found.map(({ protocol, status }) => [protocol, status])).toEqual([
    ['ucp', 'live'],
    ['mpp', 'degraded'],
  ])
  expect(Number(dueAt) - now.getTime()).toBe(3_600_000)
})

test('a challenge that was seen stays the provenance of its method, as long as the method is named', () => {
  const known = { ...before('live'), ...said(['stripe', 'tempo'], 'challenge_402') }
  const again: SeenProtocol = { protocol: 'ucp', outcome: 'valid', said: said(['stripe', 'card']) }
  const { found } = decideLook(
    { channel: null, found: [known], failures: 0, now },
    { protocols: [again], evidence: [] },
  )
  expect(found[0]?.payment_provenance.map(({ method, source }) => [method, source])).toEqual([
    ['stripe', 'challenge_402'],
    ['card', 'merchant_profile'],
  ])
})
