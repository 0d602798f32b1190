import Type, { type Static } from 'typebox'
import { Closed, Described, IdOf, Named, Nullable, OneOf } from '../../contract/schemas.ts'

/** The strictest last. */
export const policyResults = ['allow', 'require_approval', 'deny'] as const

export const PolicyResult = Named(
  'PolicyResult',
  OneOf(policyResults, {
    description:
      '`allow`: bought without asking. `require_approval`: a person must approve. `deny`: not bought.',
  }),
)
export type PolicyResult = Static<typeof PolicyResult>

const Measure = Nullable(Type.Union([Type.Integer(), Type.String()]))

/** One rule of one policy, and its verdict. */
export const EvaluatedRule = Closed({
  policy_id: IdOf('pol', 'The policy.'),
  version: Type.Integer({ minimum: 1, description: 'The version of the policy that was applied.' }),
  rule: Type.String({
    description: 'Where the rule is in the policy, such as `limits.intervals.day.max_amount`.',
  }),
  result: Described(PolicyResult, 'What this rule says.'),
  limit: Described(Measure, 'What the rule allows; amounts in minor units (1999 is $19.99).'),
  observed: Described(Measure, 'What the purchase has; amounts in minor units (1999 is $19.99).'),
})
export type EvaluatedRule = Static<typeof EvaluatedRule>

/** The verdict of the policies on a purchase. */
export const PolicyDecision = Named(
  'PolicyDecision',
  Closed(
    {
      result: Described(PolicyResult, 'The strictest result of all rules.'),
      evaluated: Type.Array(EvaluatedRule, { description: 'Every rule that had something to say.' }),
    },
    { description: 'What policies decided about a purchase, rule by rule.' },
  ),
)
export type PolicyDecision = Static<typeof PolicyDecision>
