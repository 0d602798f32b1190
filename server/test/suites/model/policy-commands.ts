import fc from 'fast-check'
import { memberOf } from '../client.ts'
import { type Command, command, pick, sometimes } from './commands.ts'
import {
  domainOf,
  intervalNames,
  type KeyName,
  type Model,
  type ModelPolicy,
  type PolicyTerms,
} from './model.ts'
import { usageOf, windowStart } from './policies.ts'
import { refusals } from './predict-create.ts'
import { bodyOf, expectAnswer, type Real } from './real.ts'

const amount = fc.constantFrom(1000, 6000, 20_000, 50_000, 100_000)
const minutes = fc.constantFrom(null, 60, 1440)

const interval = fc.record({
  name: fc.constantFrom(...intervalNames),
  amount: fc.constantFrom(null, 3000, 6000, 10_000, 30_000, 200_000),
  count: sometimes(2, fc.constantFrom(2, 5, 9)),
})

/** A card is one of those that are kept when the policy is written. */
type Drawn = Omit<PolicyTerms, 'method'> & { card: number | null }

const terms: fc.Arbitrary<Drawn> = fc
  .record({
    currency: fc.constantFrom<'EUR' | 'USD'>('EUR', 'EUR', 'EUR', 'EUR', 'EUR', 'USD'),
    profile: sometimes(2, fc.constantFrom(0, 1)),
    key: sometimes(2, fc.constantFrom<KeyName>('person', 'agent')),
    card: sometimes(4, fc.nat(9)),
    perPurchase: sometimes(3, amount),
    interval: sometimes(
      2,
      interval.filter(({ amount: most, count }) => most !== null || count !== null),
    ),
    perDay: sometimes(4, fc.constantFrom(2, 4, 8)),
    fee: sometimes(3, fc.constantFrom(0, 200, 1000)),
    blocked: sometimes(5, fc.constantFrom('a', 'b', 'n0', 'n1')),
    approval: fc.oneof(
      fc.constant(null),
      fc.record({ mode: fc.constant('never' as const), minutes }),
      fc.record({ mode: fc.constant('never' as const), minutes }),
      fc.record({ mode: fc.constant('always' as const), minutes }),
      fc.record({ mode: fc.constant('above_threshold' as const), upTo: amount, minutes }),
      fc.record({ mode: fc.constant('above_threshold' as const), upTo: amount, minutes }),
    ),
    tolerance: sometimes(3, fc.constantFrom(4, 10, 25)),
    onExceed: fc.constantFrom<'reapprove' | 'fail'>('reapprove', 'reapprove', 'reapprove', 'fail'),
  })
  // Approving everything unseen needs a limit.
  .map((made) =>
    made.approval?.mode === 'never' && made.perPurchase === null && (made.interval?.amount ?? null) === null
      ? { ...made, perPurchase: 50_000 }
      : made,
  )

const by = fc.constantFrom<KeyName>('person', 'person', 'person', 'person', 'person', 'agent', 'reader')

const create = fc.record({ terms, by }).map((made) =>
  command(
    `policy ${JSON.stringify(made)}`,
    async (model, real) => {
      const written = writtenOf(model, made.terms)
      const body = { name: 'Rule', currency: written.currency, ...termsBody(model, real, written) }
      const sent = await real.send({ path: '/v1/policies', key: real.keys[made.by].token, body })
      if (made.by !== 'person') return expectAnswer(sent, refusals.scope)
      expectAnswer(sent, { status: 201, code: null })
      model.policies.push({
        id: String(memberOf(sent.body, 'id')),
        terms: written,
        version: 1,
        isArchived: false,
        created: [],
      })
    },
    ({ policies }) => policies.filter(({ isArchived }) => !isArchived).length < 2 && policies.length < 7,
  ),
)

/** Everything but the currency is replaced. */
const update = fc.record({ index: fc.nat(50), terms }).map((made) =>
  command(
    `update policy ${JSON.stringify(made)}`,
    async (model, real) => {
      const policy = pick(model.policies, made.index, ({ isArchived }) => !isArchived)
      if (!policy) return
      const next = { ...writtenOf(model, made.terms), currency: policy.terms.currency }
      const path = `/v1/policies/${policy.id}`
      const body = termsBody(model, real, next)
      const sent = await real.send({ path, key: real.keys.person.token, body })
      if (policy.isArchived) return expectAnswer(sent, refusals.conflict('policy_archived'))
      expectAnswer(sent, { status: 200, code: null })
      policy.terms = next
      policy.version += 1
      await expectUsage(model, real, policy)
    },
    hasPolicies,
  ),
)

const archive = fc.record({ index: fc.nat(50), away: fc.constantFrom(true, true, false) }).map((made) =>
  command(
    `${made.away ? 'archive' : 'unarchive'} policy ${made.index}`,
    async (model, real) => {
      const policy = pick(model.policies, made.index, ({ isArchived }) => isArchived !== made.away)
      if (!policy) return
      const path = `/v1/policies/${policy.id}/${made.away ? 'archive' : 'unarchive'}`
      expectAnswer(await real.send({ path, key: real.keys.person.token, body: {} }), {
        status: 200,
        code: null,
      })
      policy.isArchived = made.away
    },
    hasPolicies,
  ),
)

const read = fc.nat(50).map((index) =>
  command(
    `read policy ${index}`,
    async (model, real) => {
      const policy = pick(model.policies, index, () => true)
      if (policy) await expectUsage(model, real, policy)
    },
    hasPolicies,
  ),
)

function hasPolicies({ policies }: Readonly<Model>): boolean {
  return policies.length > 0
}

/** The used parts of a policy's windows, to the cent. */
export async function expectUsage(model: Model, real: Real, policy: ModelPolicy): Promise<void> {
  const path = `/v1/policies/${policy.id}`
  const shown = bodyOf(await real.send({ method: 'GET', path, key: real.keys.agent.token }), [200])
  const usages = Array.isArray(shown.usage) ? shown.usage : []
  const given = [shown.version, ...usages.map((one) => lineOf((name) => memberOf(one, name)))]
  const { interval: window } = policy.terms
  const foretold: unknown[] = [policy.version]
  if (window) {
    const used = usageOf(model, policy, window.name)
    const start =
      window.name === 'all_time' ? null : new Date(windowStart(window.name, model.now)).toISOString()
    const facts: Record<string, unknown> = { interval: window.name, window_start: start, ...used }
    foretold.push(lineOf((name) => facts[name]))
  }
  if (JSON.stringify(given) !== JSON.stringify(foretold))
    throw new Error(`a policy shows ${JSON.stringify(given)}, foretold ${JSON.stringify(foretold)}`)
}

function lineOf(of: (name: string) => unknown): string {
  const start = of('interval') === 'all_time' ? null : of('window_start')
  return `${of('interval')} since ${start}: ${of('reserved')} + ${of('spent')}, ${of('count')}`
}

function writtenOf({ profiles }: Model, { card, ...written }: Drawn): PolicyTerms {
  const kept = profiles.flatMap(({ methods }) => methods.filter(({ isDeleted }) => !isDeleted))
  return { ...written, method: card === null ? null : (pick(kept, card, () => true) ?? null) }
}

function termsBody(model: Model, real: Real, written: PolicyTerms): object {
  const {
    profile,
    key,
    method,
    perPurchase,
    interval: window,
    perDay,
    fee,
    blocked,
    approval,
    tolerance,
    onExceed,
  } = written
  return {
    scope: {
      ...(profile === null ? {} : { profile_ids: [model.profiles[profile]?.id] }),
      ...(key === null ? {} : { api_key_ids: [real.keys[key].id] }),
      ...(method === null ? {} : { payment_method_ids: [method.id] }),
    },
    limits: {
      per_transaction_max: perPurchase,
      intervals: window
        ? [{ interval: window.name, max_amount: window.amount, max_count: window.count }]
        : [],
      max_intents_per_day: perDay,
      max_fulfillment_fee: fee,
    },
    merchants: { block: blocked === null ? [] : [domainOf(blocked)] },
    approval:
      approval === null
        ? null
        : {
            mode: approval.mode,
            ...(approval.mode === 'above_threshold' ? { auto_approve_up_to: approval.upTo } : {}),
            expires_after_minutes: approval.minutes,
          },
    price_drift: { tolerance_percent: tolerance, on_exceed: onExceed },
  }
}

export const policyArbitraries: { weight: number; arbitrary: fc.Arbitrary<Command> }[] = [
  { weight: 3, arbitrary: create },
  { weight: 1, arbitrary: update },
  { weight: 2, arbitrary: archive },
  { weight: 1, arbitrary: read },
]
