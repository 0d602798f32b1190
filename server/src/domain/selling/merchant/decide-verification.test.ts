import { expect, test } from 'vitest'
import { decideVerification, type VerificationFacts } from './decide-verification.ts'

const now = new Date('2030-01-08T00:00:00Z')
const day = 86_400_000
const before = (ms: number) => new Date(now.getTime() - ms)
const after = (ms: number) => new Date(now.getTime() + ms)
const found = { isFound: true, detail: 'there' }
const missing = { isFound: false, detail: 'not there' }
const facts: VerificationFacts = { proof: found, isVerified: false, isTaken: false, failingSince: null, now }

test.each<[string, Partial<VerificationFacts>, object]>([
  [
    'found for the first time: verified, and looked at again in a day',
    {},
    { status: 'passed', isVerified: true, dueAt: after(day), change: 'merchant.domain_verified' },
  ],
  [
    'found again: nothing changes',
    { isVerified: true },
    { status: 'passed', isVerified: true, dueAt: after(day), change: null },
  ],
  [
    'found where another merchant has proved the domain: refused',
    { isTaken: true },
    { status: 'failed', isVerified: false, dueAt: null, change: 'merchant.domain_verification_failed' },
  ],
  [
    'not found and never verified: nothing is checked again until the merchant asks',
    { proof: missing },
    { status: 'failed', isVerified: false, dueAt: null, change: 'merchant.domain_verification_failed' },
  ],
  [
    'missing for the first time: stale, and looked at again in an hour',
    { proof: missing, isVerified: true },
    {
      status: 'failed',
      isVerified: true,
      failingSince: now,
      dueAt: after(day / 24),
      change: 'merchant.domain_verification_missing',
    },
  ],
  [
    'still missing: stale',
    { proof: missing, isVerified: true, failingSince: before(7 * day - 1) },
    {
      status: 'failed',
      isVerified: true,
      failingSince: before(7 * day - 1),
      dueAt: after(day / 24),
      change: null,
    },
  ],
  [
    'missing for seven days: no longer verified',
    { proof: missing, isVerified: true, failingSince: before(7 * day) },
    { status: 'failed', isVerified: false, dueAt: null, change: 'merchant.domain_verification_lapsed' },
  ],
  [
    'found again in time: as if it had never been missing',
    { isVerified: true, failingSince: before(7 * day - 1) },
    {
      status: 'passed',
      isVerified: true,
      failingSince: null,
      dueAt: after(day),
      change: 'merchant.domain_verification_found',
    },
  ],
])('%s', (_, changes, verdict) => {
  expect(decideVerification({ ...facts, ...changes })).toMatchObject(verdict)
})
