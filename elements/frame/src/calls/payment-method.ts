import { type Outcome, recordOf } from './call.ts'

export type Step = 'otp' | 'passkey' | 'popup'

/** A card as it was added. */
export type PaymentMethod = {
  readonly id: string
  readonly brand: string
  readonly last4: string
  /** Whether agents can pay with it without its security code. */
  readonly agentic: string
  /** What its enrollment waits for; null: nothing that this form knows. */
  readonly waitsFor: Step | null
  /** As the server said it, for the page. */
  readonly whole: Readonly<Record<string, unknown>>
}

const steps: readonly string[] = ['otp', 'passkey', 'popup'] satisfies Step[]

export function paymentMethodOf(said: Outcome<Record<string, unknown>>): Outcome<PaymentMethod> {
  if (said.kind !== 'done') return said
  const { id, card, next_action } = said.value
  const { card_brand, card_last4, agentic_credentials_status } = recordOf(card)
  const { method } = recordOf(next_action)
  return {
    kind: 'done',
    value: {
      id: String(id),
      brand: String(card_brand),
      last4: String(card_last4),
      agentic: String(agentic_credentials_status),
      waitsFor: isStep(method) ? method : null,
      whole: said.value,
    },
  }
}

function isStep(method: unknown): method is Step {
  return typeof method === 'string' && steps.includes(method)
}
