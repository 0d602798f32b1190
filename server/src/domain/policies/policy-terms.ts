import Type, { type Static, type TSchema } from 'typebox'
import { invalid } from '../../contract/problem.ts'
import { Amount, Closed, CountryCode, Described, Nullable, OneOf } from '../../contract/schemas.ts'
import { atLeastOne, given, not, Ruled, says, whenThen } from '../../schema/rules.ts'

export const intervals = ['day', 'week', 'month', 'year', 'all_time'] as const
export type Interval = (typeof intervals)[number]

export const Interval = OneOf(intervals, { description: 'A week begins on Monday.' })

/** How many minutes to wait for an approval where no policy sets it: seven days. */
export const approvalExpiresMinutesDefault = 7 * 24 * 60

const listMax = 1000
const countMax = 1_000_000
const Count = Type.Integer({ minimum: 0, maximum: countMax })
const approvalModes = ['always', 'above_threshold', 'never'] as const
const onExceedChoices = ['reapprove', 'fail'] as const
const Minutes = Type.Integer({ minimum: 1, maximum: 525_600 })
const Percent = Type.Number({ minimum: 0, maximum: 100, description: 'At most two decimals count.' })

/** The rules for terms beyond their schema. */
export const termRules = {
  once: 'name each interval only once',
  limited: 'an interval needs max_amount or max_count',
  threshold: 'the mode `above_threshold` needs auto_approve_up_to',
  noThreshold: 'auto_approve_up_to is only for the mode `above_threshold`',
  neverLimited: 'the mode `never` needs per_transaction_max, or max_amount in an interval',
  currency: 'a policy with amounts needs a currency',
  period: 'valid_until must be after valid_from',
}

/** Allow and block lists. An empty list is no rule; block beats allow. */
function lists<T extends TSchema>(item: T, description: string) {
  const list = Type.Array(item, { maxItems: listMax, uniqueItems: true })
  return {
    write: Closed(
      {
        allow: Type.Optional(Described(list, 'If any, only these.')),
        block: Type.Optional(Described(list, 'Denied, whatever allows them.')),
      },
      { description },
    ),
    read: Closed(
      {
        allow: Described(list, 'If any, only these.'),
        block: Described(list, 'Denied, whatever allows them.'),
      },
      { description },
    ),
  }
}

const mcc = lists(
  Type.String({ format: 'mcc' }),
  'Merchant category codes. With a rule, a merchant of unknown category is denied.',
)
const merchants = lists(
  Type.String({ format: 'domain' }),
  'Domains of merchants; a domain covers its subdomains. A domain that a merchant only claims is on no allow list.',
)
const countries = lists(
  CountryCode,
  'Where the merchants are and where the goods go. With a rule, a merchant of unknown country is denied.',
)

/** The terms of a policy as callers write them. */
export const TermFields = {
  limits: Type.Optional(
    Closed(
      {
        per_transaction_max: orNull(
          Amount('The most that one purchase may cost in all, in minor units (1999 is $19.99).'),
        ),
        intervals: Type.Optional(
          Ruled(
            Type.Array(
              Ruled(
                Closed({
                  interval: Described(Interval, 'The period; a week begins on Monday.'),
                  max_amount: orNull(
                    Amount(
                      'The most that all purchases of the period may cost together, in minor units (1999 is $19.99).',
                    ),
                  ),
                  max_count: orNull(Described(Count, 'The most purchases in the period.')),
                }),
                { limited: termRules.limited },
                [atLeastOne({ max_amount: 'integer', max_count: 'integer' })],
              ),
              {
                maxItems: intervals.length,
                description: 'Limits for periods of time; each interval at most once.',
              },
            ),
            { once: termRules.once },
          ),
        ),
        max_intents_per_day: orNull(Described(Count, 'The most purchase intents created in a day.')),
        max_fulfillment_fee: orNull(
          Amount(
            'The most that fulfillment of one purchase may cost in all, in minor units (1999 is $19.99).',
          ),
        ),
      },
      { description: 'Limits on spending.' },
    ),
  ),
  mcc: Type.Optional(mcc.write),
  merchants: Type.Optional(merchants.write),
  countries: Type.Optional(countries.write),
  approval: orNull(
    Ruled(
      Closed(
        {
          mode: OneOf(approvalModes, {
            description:
              '`always`: a person approves each purchase. `above_threshold`: only above `auto_approve_up_to`. `never`: nobody needs to.',
          }),
          auto_approve_up_to: orNull(
            Amount(
              'The highest total of one purchase that nobody needs to approve, in minor units (1999 is $19.99). Required with `above_threshold`.',
            ),
          ),
          expires_after_minutes: orNull(
            Described(
              Minutes,
              'How long a purchase waits for approval before it is declined. Default: 7 days.',
            ),
          ),
        },
        {
          description: 'When a person must approve. If no policy says so, a person approves every purchase.',
        },
      ),
      {
        threshold: termRules.threshold,
        noThreshold: termRules.noThreshold,
        neverLimited: termRules.neverLimited,
      },
      [
        whenThen(says('mode', 'above_threshold'), given('auto_approve_up_to', 'integer')),
        whenThen(not(says('mode', 'above_threshold')), not(given('auto_approve_up_to', 'integer'))),
      ],
    ),
  ),
  price_drift: Type.Optional(
    Closed(
      {
        tolerance_percent: orNull(
          Described(
            Percent,
            'How many percent the price may rise without a new approval. Default: that of the account.',
          ),
        ),
        on_exceed: Type.Optional(
          OneOf(onExceedChoices, {
            description: 'Above the tolerance: ask a person again (`reapprove`, the default) or fail.',
          }),
        ),
      },
      { description: 'What happens when the price is higher than expected.' },
    ),
  ),
}

/** The same terms as they are stored and read: nothing is left out, null where there is no limit. */
export const TermsRead = {
  limits: Closed(
    {
      per_transaction_max: Nullable(
        Amount('The most that one purchase may cost in all, in minor units (1999 is $19.99).'),
      ),
      intervals: Type.Array(
        Closed({
          interval: Described(Interval, 'The period; a week begins on Monday.'),
          max_amount: Nullable(
            Amount(
              'The most that all purchases of the period may cost together, in minor units (1999 is $19.99).',
            ),
          ),
          max_count: Nullable(Described(Count, 'The most purchases in the period.')),
        }),
        { description: 'Limits for periods of time.' },
      ),
      max_intents_per_day: Nullable(Described(Count, 'The most purchase intents created in a day.')),
      max_fulfillment_fee: Nullable(
        Amount('The most that fulfillment of one purchase may cost in all, in minor units (1999 is $19.99).'),
      ),
    },
    { description: 'Limits on spending; null is no limit.' },
  ),
  mcc: mcc.read,
  merchants: merchants.read,
  countries: countries.read,
  approval: Nullable(
    Closed(
      {
        mode: OneOf(approvalModes, {
          description:
            '`always`: a person approves each purchase. `above_threshold`: only above `auto_approve_up_to`. `never`: nobody needs to.',
        }),
        auto_approve_up_to: Nullable(
          Amount(
            'The highest total of one purchase that nobody needs to approve, in minor units (1999 is $19.99).',
          ),
        ),
        expires_after_minutes: Described(
          Minutes,
          'How long a purchase waits for approval before it is declined.',
        ),
      },
      { description: 'When a person must approve; null if this policy does not say.' },
    ),
  ),
  price_drift: Closed(
    {
      tolerance_percent: Nullable(
        Type.Number({
          description:
            'How many percent the price may rise without a new approval; null means that of the account.',
        }),
      ),
      on_exceed: OneOf(onExceedChoices, {
        description: 'Above the tolerance: ask a person again (`reapprove`) or fail.',
      }),
    },
    { description: 'What happens when the price is higher than expected.' },
  ),
}

const Written = Closed(TermFields)
type Written = Static<typeof Written>
const Terms = Closed(TermsRead)
export type PolicyTerms = Static<typeof Terms>

/** The terms that a caller wrote, over the terms before: a member that is written replaces the whole one. */
export function termsOf(written: Written, before: PolicyTerms | null): PolicyTerms {
  const { limits, approval, price_drift: drift } = written
  return {
    limits:
      limits || !before
        ? {
            per_transaction_max: limits?.per_transaction_max ?? null,
            intervals: (limits?.intervals ?? []).map(({ interval, max_amount, max_count }) => ({
              interval,
              max_amount: max_amount ?? null,
              max_count: max_count ?? null,
            })),
            max_intents_per_day: limits?.max_intents_per_day ?? null,
            max_fulfillment_fee: limits?.max_fulfillment_fee ?? null,
          }
        : before.limits,
    mcc: listsOf(written.mcc, before?.mcc),
    merchants: lowerCase(listsOf(written.merchants, before?.merchants)),
    countries: listsOf(written.countries, before?.countries),
    approval: approval
      ? {
          mode: approval.mode,
          auto_approve_up_to: approval.auto_approve_up_to ?? null,
          expires_after_minutes: approval.expires_after_minutes ?? approvalExpiresMinutesDefault,
        }
      : approval === null
        ? null
        : (before?.approval ?? null),
    price_drift:
      drift || !before
        ? { tolerance_percent: drift?.tolerance_percent ?? null, on_exceed: drift?.on_exceed ?? 'reapprove' }
        : before.price_drift,
  }
}

/** Throws the 422 for terms that contradict themselves or leave out what they need. */
export function checkTerms(policy: {
  terms: PolicyTerms
  currency: string | null
  valid_from: Date | null
  valid_until: Date | null
}): void {
  const { limits, approval } = policy.terms
  const names = limits.intervals.map(({ interval }) => interval)
  const repeated = names.findIndex((name, index) => names.indexOf(name) !== index)
  if (repeated >= 0) throw invalid(['body', 'limits', 'intervals', repeated, 'interval'], termRules.once)
  const empty = limits.intervals.findIndex(
    ({ max_amount, max_count }) => max_amount === null && max_count === null,
  )
  if (empty >= 0) throw invalid(['body', 'limits', 'intervals', empty], termRules.limited)
  if (approval?.mode === 'above_threshold' && approval.auto_approve_up_to === null) {
    throw invalid(['body', 'approval', 'auto_approve_up_to'], termRules.threshold)
  }
  if (approval && approval.mode !== 'above_threshold' && approval.auto_approve_up_to !== null) {
    throw invalid(['body', 'approval', 'auto_approve_up_to'], termRules.noThreshold)
  }
  const hasAmountLimit =
    limits.per_transaction_max !== null || limits.intervals.some(({ max_amount }) => max_amount !== null)
  if (approval?.mode === 'never' && !hasAmountLimit) {
    throw invalid(['body', 'approval', 'mode'], termRules.neverLimited)
  }
  if (hasAmounts(policy.terms) && policy.currency === null) {
    throw invalid(['body', 'currency'], termRules.currency)
  }
  if (policy.valid_from && policy.valid_until && policy.valid_until <= policy.valid_from) {
    throw invalid(['body', 'valid_until'], termRules.period)
  }
}

/** Whether the terms have an amount, and so need one currency. */
export function hasAmounts({ limits, approval }: PolicyTerms): boolean {
  return (
    limits.per_transaction_max !== null ||
    limits.max_fulfillment_fee !== null ||
    (approval?.auto_approve_up_to ?? null) !== null ||
    limits.intervals.some(({ max_amount }) => max_amount !== null)
  )
}

type Lists = { allow: string[]; block: string[] }

function listsOf(written: Partial<Lists> | undefined, before: Lists | undefined): Lists {
  if (!written && before) return before
  return { allow: written?.allow ?? [], block: written?.block ?? [] }
}

function lowerCase({ allow, block }: Lists): Lists {
  const lowered = (domains: string[]) => [...new Set(domains.map((domain) => domain.toLowerCase()))]
  return { allow: lowered(allow), block: lowered(block) }
}

function orNull<T extends TSchema>(schema: T) {
  return Type.Optional(Nullable(schema))
}
