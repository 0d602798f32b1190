import { meaningOf, type Refusal, ValidationProblem } from '../../contract/problem.ts'
import type { ProblemCatalog } from '../../contract/problem-codes.ts'
import type { SentChallenge } from '../../protocols/mpp/payment-scheme.ts'
import type { ValidationIssue } from '../../schema/value-faults.ts'

/** What a payment problem is called: the last part of its type. */
export type PaymentProblem =
  | 'payment-required'
  | 'malformed-credential'
  | 'invalid-challenge'
  | 'payment-expired'
  | 'invalid-payload'
  | 'verification-failed'

/** An answer before a transport carries it. */
export type MppAnswer =
  | { readonly kind: 'document'; readonly status: number; readonly headers: Headers; readonly body: string }
  | {
      readonly kind: 'paid'
      readonly body: string
      readonly receipt: { readonly header: string; readonly json: object }
    }
  | {
      readonly kind: 'payment'
      readonly problem: PaymentProblem
      readonly detail: string
      readonly challenges: readonly SentChallenge[]
    }
  | {
      readonly kind: 'refused'
      readonly status: number
      readonly code: string
      readonly detail: string
      readonly headers: Headers
      readonly errors?: readonly { readonly path: string; readonly message: string }[]
    }

type Headers = Readonly<Record<string, string>>

/** What the parts of the server that all surfaces share refuse with, and what operations do. */
export function refusedAnswer(
  refusal: Refusal,
  problems: ProblemCatalog,
): Extract<MppAnswer, { kind: 'refused' }> {
  if (refusal instanceof ValidationProblem)
    return {
      kind: 'refused',
      status: 422,
      code: 'invalid_request',
      // Tools show a model the sentence alone.
      detail: `The request is not valid. ${refusal.issues.slice(0, toldMax).map(toldIssue).join(' ')}`,
      headers: {},
      errors: refusal.issues.map(({ loc, msg }) => ({ path: loc.join('.'), message: msg })),
    }
  const { status, message } = meaningOf(refusal, problems)
  return {
    kind: 'refused',
    status,
    code: refusal.code,
    detail: message,
    headers: refusal.options.headers ?? {},
  }
}

/** How many faults the sentence names. `errors` has all of them. */
const toldMax = 10

function toldIssue({ loc: [section, ...fields], msg }: ValidationIssue): string {
  return `${fields.length > 0 ? fields.join('.') : section}: ${msg}.`
}

const problemBase = 'https://paymentauth.org/problems/'

const paymentTitles: Readonly<Record<PaymentProblem, string>> = {
  'payment-required': 'Payment Required',
  'malformed-credential': 'Malformed Credential',
  'invalid-challenge': 'Invalid Challenge',
  'payment-expired': 'Payment Expired',
  'invalid-payload': 'Invalid Payload',
  'verification-failed': 'Verification Failed',
}

/** The body of a refusal: a problem by RFC 9457. */
export function problemBody(answer: Extract<MppAnswer, { kind: 'payment' | 'refused' }>): object {
  if (answer.kind === 'payment') {
    const { problem, detail, challenges } = answer
    return {
      type: `${problemBase}${problem}`,
      title: paymentTitles[problem],
      status: 402,
      detail,
      challengeId: challenges[0]?.id,
    }
  }
  const { status, code, detail, errors } = answer
  return { type: 'about:blank', title: titleOf(code), status, detail, code, ...(errors ? { errors } : {}) }
}

function titleOf(code: string): string {
  const words = code.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
