import { call, type Fetch, noVault, type Outcome } from '../../../frame/src/calls/call.ts'
import { isLost, proofMs } from '../../../frame/src/calls/wait-for-proof.ts'
import type { OpenedPage } from './opened-page.ts'
import type { SavedCard } from './saved-card.ts'

/** How a card is proven on this page. A card that needs nothing elsewhere needs its security code here. */
type ProofMethod = 'cvc' | 'otp' | 'passkey' | 'popup'

/** What was begun with a card. */
export type BegunProof = {
  readonly method: ProofMethod
  readonly id: string
  readonly windowUrl: string | null
}

type Session = Pick<OpenedPage, 'session' | 'vaultUrl'>

/** What an approval says of its proof. */
export type ShownProof = {
  readonly field: 'temporary_cvc_token_id' | 'payment_verification'
  readonly value: unknown
}

const base = '/elements/v1'

export async function beginProof(
  fetch: Fetch,
  { session }: Session,
  { id }: SavedCard,
): Promise<Outcome<BegunProof>> {
  const url = `${base}/purchase_intent/payment_verifications`
  const said = await call(fetch, { url, session, body: { profile_payment_method_id: id } })
  if (said.kind !== 'done') return said
  const { method, id: made, window_url } = said.value
  return {
    kind: 'done',
    value: {
      method: method === 'otp' || method === 'passkey' || method === 'popup' ? method : 'cvc',
      id: String(made),
      windowUrl: typeof window_url === 'string' ? window_url : null,
    },
  }
}

/** Leaves a typed code with the vault: the only request that has it. */
export async function leaveCode(
  fetch: Fetch,
  { session, vaultUrl }: Session,
  { cvc, brand }: { cvc: string; brand: string },
): Promise<Outcome<ShownProof>> {
  if (vaultUrl === null) return noVault
  const said = await call(fetch, { url: `${vaultUrl}/cvcs`, session, body: { cvc, card_brand: brand } })
  if (said.kind !== 'done') return said
  const value = said.value.temporary_cvc_token_id
  return { kind: 'done', value: { field: 'temporary_cvc_token_id', value } }
}

export async function giveBankCode(
  fetch: Fetch,
  { session }: Session,
  { id, code }: { id: string; code: string },
): Promise<Outcome<ShownProof>> {
  const url = `${base}/payment_verifications/${encodeURIComponent(id)}/code`
  const said = await call(fetch, { url, session, body: { code } })
  return said.kind === 'done' ? shownProof('otp', said.value) : said
}

/** Whether another code may be given for it. A look that is lost says so: the next code tells. */
export async function isPending(fetch: Fetch, { session }: Session, { id }: BegunProof): Promise<boolean> {
  const url = `${base}/payment_verifications/${encodeURIComponent(id)}`
  const said = await call(fetch, { method: 'GET', url, session })
  return said.kind === 'no_answer' || (said.kind === 'done' && said.value.status === 'pending')
}

const lookMs = 1_000

/** The page and its window share nothing, so that the page asks the server each second until the proof has ended. */
export async function awaitWindow(
  fetch: Fetch,
  { session }: Session,
  { id, method, isWanted }: { id: string; method: ProofMethod; isWanted: () => boolean },
): Promise<Outcome<ShownProof> | null> {
  for (const overAt = Date.now() + proofMs; ; ) {
    await new Promise((resolve) => setTimeout(resolve, lookMs))
    if (!isWanted()) return null
    const url = `${base}/payment_verifications/${encodeURIComponent(id)}`
    const said = await call(fetch, { method: 'GET', url, session })
    if (!isWanted()) return null
    if (said.kind === 'done' && said.value.status !== 'pending') return shownProof(method, said.value)
    if (said.kind !== 'done' && (!isLost(said) || Date.now() >= overAt)) return said
  }
}

function shownProof(method: ProofMethod, { assertion }: Record<string, unknown>): Outcome<ShownProof> {
  if (typeof assertion === 'string')
    return { kind: 'done', value: { field: 'payment_verification', value: { method, assertion } } }
  const message = 'The proof was refused.'
  return { kind: 'refused', code: 'verification_failed', message, param: null, retryAfterS: null }
}
