import Type, { type Static } from 'typebox'
import { Closed, IdOf, Named, Nullable, OneOf } from '../../contract/schemas.ts'

/** The strictest last. */
export const policyResults = ['allow', 'require_approval', 'deny'] as const

export const PolicyResult = Named('PolicyResult', OneOf(policyResults))
export type PolicyResult = Static<typeof PolicyResult>

const Measure = Nullable(Type.Union([Type.Integer(), Type.String()]))

/** One rule of one policy, and what it said. */
export const EvaluatedRule = Closed({
  policy_id: IdOf('pol'),
  version: Type.Integer({ minimum: 1 }),
  rule: Type.String({
    description: 'Where the rule stands in the policy, such as `limits.intervals.day.max_amount`.',
  }),
  result: PolicyResult,
  limit: Measure,
  observed: Measure,
})
export type EvaluatedRule = Static<typeof EvaluatedRule>

/** What the policies said about a purchase. */
export const PolicyDecision = Named(
  'PolicyDecision',
  Closed({ result: PolicyResult, evaluated: Type.Array(EvaluatedRule) }),
)
export type PolicyDecision = Static<typeof PolicyDecision>
