import { expect, test } from 'vitest'
import type { PrincipalKind } from './principal.ts'
import { shareOf } from './reads.ts'

test('pages, platforms, payers and strangers take no connection from the account that they come to', () => {
  const tenant = { accountId: 'acct_one', mode: 'test' } as const
  const by = (kind: PrincipalKind | null) => shareOf({ tenant, kind })
  const own = by('key')
  expect([by(null), by('signature'), by('chat')]).toEqual([own, own, own])
  expect(new Set([own, by('page'), by('platform'), by('payer'), by('nobody')]).size).toBe(5)
  expect(shareOf({ tenant: { ...tenant, mode: 'live' }, kind: 'key' })).not.toBe(own)
})
