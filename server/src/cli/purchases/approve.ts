import type { PurchaseIntent } from '../../domain/buying/intents/intent.ts'
import { CommandFailure } from '../failure.ts'
import { asks, isTalking } from './ask.ts'
import { type ProductApi, Refusal } from './product-api.ts'
import { proofOption } from './say-next.ts'

/** How a person proves that a card is theirs, as the options of a command have it. */
export type Proof = { readonly cvc?: string; readonly code?: string; readonly assertion?: string }

type Approval = {
  readonly id: string
  /** What the person has seen. */
  readonly cap: number
  /** What is charged; without it what the purchase names. */
  readonly card?: string
  readonly proof: Proof
  readonly json?: boolean
}

/** Approves what a person has seen; where the card asks for a proof, the person is asked for it, if there is one. */
export async function approve(
  api: ProductApi,
  { id, cap, card, proof, json = false }: Approval,
): Promise<PurchaseIntent> {
  const send = (given: Proof, method?: string): Promise<PurchaseIntent> =>
    api.post(`/v1/purchase_intents/${id}/approve`, {
      approve: true,
      max_allowed_amount: cap,
      ...(card === undefined ? {} : { profile_payment_method_id: card }),
      ...proofBody(given, method),
    })
  try {
    // Which of two kinds of proof an assertion is, the card says when it is asked.
    return await send(proof.assertion === undefined ? proof : {})
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'payment_verification_required') throw error
    const method: string | undefined = error.detail?.next_action?.method
    if (proof.assertion !== undefined && (method === 'passkey' || method === 'popup'))
      return send(proof, method)
    if (!isTalking({ json }) || Object.keys(proof).length > 0)
      throw new CommandFailure(proofAsked(api, method))
    return send(await askProof(api, method), method)
  }
}

function proofBody({ cvc, code, assertion }: Proof, method?: string): object {
  return {
    ...(cvc === undefined ? {} : { temporary_cvc_token_id: cvc }),
    ...(code === undefined ? {} : { payment_verification: { method: 'otp', code } }),
    ...(assertion === undefined ? {} : { payment_verification: { method, assertion } }),
  }
}

const proofs: Readonly<Record<string, string>> = {
  otp: 'the one-time password that its issuer has sent',
  passkey: 'its passkey',
  popup: 'a confirmation at its issuer',
}

function proofAsked(api: ProductApi, method: string | undefined): string {
  const what = proofs[method ?? ''] ?? 'its security code, as a token'
  return `The card asks for ${what}, and this is missing or wrong: add ${proofOption(method)}.${hint(api, method)}`
}

/** What test cards take. */
function hint({ mode }: ProductApi, method: string | undefined): string {
  if (mode === 'live') return ''
  if (method === 'otp') return ' Test cards take 123456.'
  if (method === 'passkey' || method === 'popup') return ' Test cards take any text.'
  return ' Test cards take cvc_3_digit, and those of American Express cvc_4_digit.'
}

async function askProof(api: ProductApi, method: string | undefined): Promise<Proof> {
  const what = proofs[method ?? ''] ?? 'its security code, as a token'
  const answer = await asks(`The card asks for ${what}.${hint(api, method)} Type it: `)
  if (answer === '') throw new CommandFailure('The card was not verified.')
  if (method === 'otp') return { code: answer }
  return method === 'passkey' || method === 'popup' ? { assertion: answer } : { cvc: answer }
}
