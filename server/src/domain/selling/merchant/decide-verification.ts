import type { Proof } from './domain-proof.ts'

/** How many hours pass between looks for the proof of a verified domain, and between looks once it is missing. */
const recheckHours = 24
const recheckMissingHours = 1

/** For how many days a verified domain still counts without its proof: a weekend, and time to notice. */
export const missingDaysMax = 7

const hourMs = 3_600_000

export type VerificationFacts = {
  proof: Proof
  isVerified: boolean
  /** Another merchant has proved the domain. */
  isTaken: boolean
  failingSince: Date | null
  now: Date
}

export type VerificationChange =
  | 'merchant.domain_verified'
  | 'merchant.domain_verification_failed'
  | 'merchant.domain_verification_missing'
  | 'merchant.domain_verification_found'
  | 'merchant.domain_verification_lapsed'

export type Verdict = {
  status: 'passed' | 'failed'
  detail: string
  isVerified: boolean
  failingSince: Date | null
  /** When to look again; null when a look needs a new request. */
  dueAt: Date | null
  /** The resulting change of the merchant; null for none. */
  change: VerificationChange | null
}

/** What a look at a domain's proof means for its merchant. For a week, a missing proof has no effect on a verified domain. */
export function decideVerification(facts: VerificationFacts): Verdict {
  const { proof, isVerified, isTaken, failingSince, now } = facts
  const inHours = (hours: number) => new Date(now.getTime() + hours * hourMs)
  if (proof.isFound && isTaken && !isVerified) {
    return {
      status: 'failed',
      detail: 'Another merchant has proved this domain.',
      isVerified: false,
      failingSince: null,
      dueAt: null,
      change: 'merchant.domain_verification_failed',
    }
  }
  const { detail } = proof
  if (proof.isFound) {
    const change = failingSince === null ? null : ('merchant.domain_verification_found' as const)
    return {
      status: 'passed',
      detail,
      isVerified: true,
      failingSince: null,
      dueAt: inHours(recheckHours),
      change: isVerified ? change : 'merchant.domain_verified',
    }
  }
  const failed = { status: 'failed', detail } as const
  if (!isVerified) {
    const change = 'merchant.domain_verification_failed'
    return { ...failed, isVerified: false, failingSince: null, dueAt: null, change }
  }
  const since = failingSince ?? now
  if (now.getTime() - since.getTime() >= missingDaysMax * 24 * hourMs) {
    const change = 'merchant.domain_verification_lapsed'
    return { ...failed, isVerified: false, failingSince: since, dueAt: null, change }
  }
  return {
    ...failed,
    isVerified: true,
    failingSince: since,
    dueAt: inHours(recheckMissingHours),
    change: failingSince === null ? 'merchant.domain_verification_missing' : null,
  }
}
