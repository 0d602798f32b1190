import { type Listed, missedBeside, missedBy } from './guard.ts'

/** A rail that turns calls away decides nothing, and is left alone when it fails. */
export const railGuards: readonly Listed[] = [
  ...missedBeside({
    'refund-turned-away-has-not-left': ['later(wasAsked, 0)', 'later(false, 0)'],
    'circuit-opens': ['this.#failing.size >= circuitPace.failuresMax', 'this.#failing.size < 0'],
    'circuit-counts-calls-not-failures': [')', ' + this.#failing.size)'],
    'one-call-finds-out': 'never',
    'circuit-of-its-time': 'gone',
  }),
  ...missedBy(['test/conformance/link-rail.test.ts'], {
    'signed-out-is-closed': 'never',
    'only-a-whole-list-denies': ["more === true ? { kind: 'unknown' } : ", ''],
  }),
  ...missedBy(['src/domain/buying/rails/issuing-tokens.test.ts'], {
    'revoked-tokens-are-asked-of-their-issuer': [
      "sent?.step === 'revoke' && ",
      "sent?.step === 'revoke' && !",
    ],
  }),
  ...missedBy(['test/conformance/sandbox-rail.test.ts'], {
    'turned-away-is-no-answer': ['notNowOf(sent) ?? '],
    'refusals-are-listed': ['!isRefusal(code)) return', "typeof code !== 'string') return"],
    'only-the-rail-knows-nothing-of-a-key': ['no_object', 'misrouted'],
    'forgotten-keys-made-something': ["not_found' && known.kind !== '"],
    'closing-releases-what-was-forgotten': [
      'await releaseMade(processor, key, next)',
      'cameOf(await readMade(processor, key.repeat(2), next()))',
    ],
    'closed-captures-never-land': ['await closeCapture(processor, sent.input, next)', "{ kind: 'closed' }"],
  }),
  ...missedBy(['src/domain/buying/execution/decide-not-now.test.ts'], {
    'left-alone-until-its-time': 'never',
    'retry-after-is-bounded': [
      'Math.min(retryAfterSeconds ?? 0, againPace.retryAfterMaxSeconds)',
      '(retryAfterSeconds ?? 0)',
    ],
    'patience-ends': [' || isOutOfPatience(state, pay)'],
    'captured-while-the-hold-lasts': 'gone',
    'late-capture-is-closed-first': ['return isRunning && !isLate ?', 'return isRunning ?'],
  }),
  ...missedBy(['src/domain/buying/execution/hear.test.ts'], {
    'turned-away-uses-no-try': 'gone',
    'released-under-another-key': 'gone',
    'released-again-only-while-it-stands': ["release?.state === 'refused' ? renewed(state, release) : "],
  }),
  ...missedBy(['test/flows/rail-not-now.test.ts'], {
    'unpaid-order-is-cancelled': { how: ['state !==', 'state ==='], only: 'until its hold is over' },
  }),
  ...missedBy(['src/domain/buying/rails/rail-circuit.test.ts'], {
    'held-back-calls-are-not-made': 'never',
  }),
]
