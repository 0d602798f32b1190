import { changedSettings } from '../../webhooks/destinations/public.ts'
import { decideSetup } from './decide-setup.ts'
import { missingDaysMax } from './decide-verification.ts'
import type { Merchant, MerchantRequirement, MerchantRow, MerchantVerification } from './merchant.ts'
import { nextAction } from './next-action.ts'
import type { LastCheck, ReadinessFacts } from './port.ts'

type Readiness = Pick<
  Merchant,
  'status' | 'capabilities' | 'requirements' | 'blockers' | 'verifications' | 'next_action'
>

/** What a merchant has to do, what it can do already, what has been proved, and the call to make next. */
export function decideReadiness(row: MerchantRow, facts: ReadinessFacts): Readiness {
  const setup = decideSetup(row, facts)
  const verification = verificationOf(row, facts)
  const requirements = [
    ...setup.requirements.map((one) =>
      one.code === 'domain_verification' ? withMissingProof(one, verification) : one,
    ),
    // Checks run only in test mode, on the destinations of test mode.
    ...(row.mode === 'test' ? [checkRequirement('order', facts), checkRequirement('quote', facts)] : []),
  ]
  const hasLapsed = row.mode === 'live' && row.domain_verified_at === null && verification?.lapsed_at
  return {
    ...setup,
    status: hasLapsed ? 'restricted' : setup.status,
    requirements,
    verifications: [
      ...(row.domain === null ? [] : [domainVerification(row, verification)]),
      ...(['order', 'quote'] as const).flatMap((kind) => checkVerification(kind, facts)),
    ],
    next_action: nextAction(row, requirements, facts),
  }
}

type Verification = NonNullable<ReadinessFacts['verification']>

/** The last look at the proof, if it was about the merchant's present domain and token. */
function verificationOf(row: MerchantRow, { verification }: ReadinessFacts): Verification | null {
  const isOurs = verification?.domain === row.domain && verification?.token === row.verification_token
  return isOurs ? verification : null
}

function domainVerification(row: MerchantRow, last: Verification | null): MerchantVerification {
  const isVerified = row.domain_verified_at !== null
  const checkedAt = last?.checked_at ? new Date(last.checked_at) : row.domain_verified_at
  return {
    kind: 'domain',
    // Some domains count as verified without a look, for example those of the sandbox.
    status: last?.checked_at ? last.status : isVerified ? 'passed' : 'pending',
    stale: isVerified && last !== null && last.failing_since !== null,
    checked_at: checkedAt?.toISOString() ?? null,
    detail: last?.detail ?? null,
  }
}

function withMissingProof(given: MerchantRequirement, last: Verification | null): MerchantRequirement {
  if (given.state !== 'satisfied' || last === null || last.failing_since === null) return given
  const until = new Date(new Date(last.failing_since).getTime() + missingDaysMax * 86_400_000)
  return {
    ...given,
    state: 'stale',
    message: `The proof is no longer there. If it stays missing, the domain counts as unverified from ${until.toISOString()}.`,
    fix: `Publish prokura-verification=${last.token} again, then call POST /v1/merchant/verify_domain.`,
  }
}

function isStale({ settings, settings_now: now }: LastCheck): boolean {
  return changedSettings(settings, now).length > 0
}

/** The last check that passed proves it, while the destination stays as it was. */
function checkRequirement(kind: LastCheck['kind'], { checks }: ReadinessFacts): MerchantRequirement {
  const passed = checks.find((check) => check.kind === kind && check.status === 'passed')
  const code = `${kind}_check` as const
  if (passed && !isStale(passed)) {
    return { code, state: 'satisfied', blocking: [], message: 'Done.', fix: null }
  }
  const fix =
    kind === 'order'
      ? 'Buy one of your items in test mode, let the destination answer, then check the order with POST /v1/merchant/integration_checks.'
      : 'Ask your responder for a price with POST /v1/merchant/integration_checks and kind `quote`.'
  return passed
    ? {
        code,
        state: 'stale',
        blocking: [],
        message: 'The settings of the destination have changed since the check.',
        fix,
      }
    : { code, state: 'currently_due', blocking: [], message: `No ${kind} check has passed.`, fix }
}

function checkVerification(kind: LastCheck['kind'], { checks }: ReadinessFacts): MerchantVerification[] {
  const [last] = checks
    .filter((check) => check.kind === kind)
    .sort((a, b) => Date.parse(b.finished_at) - Date.parse(a.finished_at))
  if (!last) return []
  return [
    {
      kind: `${kind}_check`,
      status: last.status,
      stale: isStale(last),
      checked_at: new Date(last.finished_at).toISOString(),
      detail: null,
    },
  ]
}
