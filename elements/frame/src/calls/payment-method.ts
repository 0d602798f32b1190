import { recordOf } from './call.ts'

type Step = 'otp' | 'passkey' | 'popup'

/** A card as the server shows it. */
export type PaymentMethod = {
  readonly id: string
  readonly brand: string
  readonly last4: string
  readonly expiry: { readonly month: number; readonly year: number }
  readonly isDefault: boolean
  /** Whether agents can pay with it without its security code. */
  readonly agentic: string
  /** What its enrollment waits for; null: nothing that this form knows. */
  readonly waitsFor: Step | null
  /** As the server said it, for the page. */
  readonly whole: Readonly<Record<string, unknown>>
}

const steps: readonly string[] = ['otp', 'passkey', 'popup'] satisfies Step[]

export function paymentMethodOf(whole: Record<string, unknown>): PaymentMethod {
  const card = recordOf(whole.card)
  const { method } = recordOf(whole.next_action)
  return {
    id: String(whole.id),
    brand: String(card.card_brand),
    last4: String(card.card_last4),
    expiry: { month: Number(card.card_exp_month), year: Number(card.card_exp_year) },
    isDefault: whole.is_default === true,
    agentic: String(card.agentic_credentials_status),
    waitsFor: isStep(method) ? method : null,
    whole,
  }
}

function isStep(method: unknown): method is Step {
  return typeof method === 'string' && steps.includes(method)
}
