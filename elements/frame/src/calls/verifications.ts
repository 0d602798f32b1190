import { noVault, type Outcome, recordOf } from './call.ts'
import { type PaymentMethod, paymentMethodOf } from './payment-method.ts'
import type { SessionCalls } from './session.ts'

export type ProofMethod = 'none' | 'cvc' | 'otp' | 'passkey' | 'popup'

/** How a card is proven, and how far that is. */
export type Verification = {
  readonly id: string
  readonly method: ProofMethod
  readonly status: 'pending' | 'proven' | 'refused' | 'expired'
  /** Told once, when it is made: who has it may prove. */
  readonly windowUrl: string | null
  readonly isOpen: boolean
  /** What the page's server passes on, once it is proven for a purchase. */
  readonly assertion: string | null
  readonly expiresAt: number
  /** Of an enrollment that is proven: the card as it is now. */
  readonly card: PaymentMethod | null
}

export type VerificationCalls = {
  /** Says what a card needs for the purchase, and begins to ask for it. */
  forPurchase(cardId: string, preference: string | null): Promise<Outcome<Verification>>
  /** Begins the next step of a card's enrollment. */
  forCard(cardId: string): Promise<Outcome<Verification>>
  giveCode(id: string, code: string): Promise<Outcome<Verification>>
  look(id: string): Promise<Outcome<Verification>>
  /** Leaves a security code with the vault. */
  leaveCode(code: string, brand: string): Promise<Outcome<string>>
  cards(): Promise<Outcome<readonly PaymentMethod[]>>
}

export function createVerificationCalls({ ask, send, within }: SessionCalls): VerificationCalls {
  return {
    forPurchase: async (cardId, preference) =>
      verificationOf(
        await ask('purchase_intent/payment_verifications', {
          body: {
            profile_payment_method_id: cardId,
            ...(preference === null ? {} : { agentic_credentials_preference: preference }),
          },
        }),
      ),
    forCard: async (cardId) =>
      verificationOf(
        await ask(`payment_methods/${encodeURIComponent(cardId)}/payment_verifications`, { body: {} }),
      ),
    giveCode: async (id, code) => verificationOf(await ask(`${pathOf(id)}/code`, { body: { code } })),
    look: async (id) => verificationOf(await ask(pathOf(id))),
    async leaveCode(cvc, card_brand) {
      // The only request that has the code.
      const left = await within(async ({ token, vaultUrl }) =>
        vaultUrl === null
          ? noVault
          : await send({ url: `${vaultUrl}/cvcs`, session: token, body: { cvc, card_brand } }),
      )
      if (left.kind !== 'done') return left
      const { temporary_cvc_token_id } = left.value
      return typeof temporary_cvc_token_id === 'string'
        ? { kind: 'done', value: temporary_cvc_token_id }
        : { kind: 'no_answer' }
    },
    async cards() {
      const said = await ask('payment_methods')
      if (said.kind !== 'done') return said
      const { data } = said.value
      const cards = (Array.isArray(data) ? data : []).map(recordOf).map(paymentMethodOf)
      return { kind: 'done', value: cards }
    },
  }
}

function pathOf(id: string): string {
  return `payment_verifications/${encodeURIComponent(id)}`
}

const methods: readonly string[] = ['none', 'cvc', 'otp', 'passkey', 'popup'] satisfies ProofMethod[]
const statuses: readonly string[] = [
  'pending',
  'proven',
  'refused',
  'expired',
] satisfies Verification['status'][]

function verificationOf(said: Outcome<Record<string, unknown>>): Outcome<Verification> {
  if (said.kind !== 'done') return said
  const { id, method, status, window_url, is_open, assertion, expires_at, payment_method } = said.value
  if (!isMethod(method) || !isStatus(status)) return { kind: 'no_answer' }
  return {
    kind: 'done',
    value: {
      id: String(id),
      method,
      status,
      windowUrl: typeof window_url === 'string' ? window_url : null,
      isOpen: is_open === true,
      assertion: typeof assertion === 'string' ? assertion : null,
      expiresAt: Date.parse(String(expires_at)),
      card: payment_method == null ? null : paymentMethodOf(recordOf(payment_method)),
    },
  }
}

function isMethod(method: unknown): method is ProofMethod {
  return typeof method === 'string' && methods.includes(method)
}

function isStatus(status: unknown): status is Verification['status'] {
  return typeof status === 'string' && statuses.includes(status)
}
