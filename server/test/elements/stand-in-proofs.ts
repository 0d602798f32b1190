/** How cards are proven where the stand-in plays the server: by the contract, with what a test says that each card needs. */
export type ProofsStandIn = {
  /** By the id of a card; `none` for one that is not there. */
  readonly needs: Map<string, string>
  /** The answer to a call; null: it is none of these calls. */
  answer(method: string | undefined, path: string, body: Record<string, unknown>): ProofAnswer | null
  reset(): void
}

type ProofAnswer = { status?: number; body: unknown }

type Proof = {
  id: string
  object: 'payment_verification'
  purpose: string
  method: string
  status: string
  is_open: boolean
  assertion: string | null
  payment_method: unknown
  profile_payment_method_id: string
  expires_at: string
}

/** `enrolled`: a card whose enrollment has ended. */
export function createProofs(elements: string, enrolled: (id: string) => unknown): ProofsStandIn {
  const needs = new Map<string, string>()
  const proofs = new Map<string, Proof & { wrong: number }>()

  function begin(purpose: string, cardId: string): ProofAnswer {
    const id = `pver_${proofs.size + 1}`
    const method = needs.get(cardId) ?? 'none'
    const proof: Proof = {
      id,
      object: 'payment_verification',
      purpose,
      method,
      status: 'pending',
      is_open: false,
      assertion: null,
      payment_method: null,
      profile_payment_method_id: cardId,
      expires_at: new Date(Date.now() + 900_000).toISOString(),
    }
    proofs.set(id, { ...proof, wrong: 0 })
    const hasWindow = method === 'passkey' || method === 'popup'
    return {
      status: 201,
      body: { ...proof, window_url: hasWindow ? `${elements}/elements/v1/ceremony#${id}` : null },
    }
  }

  function end(id: string, status: 'proven' | 'refused'): Proof | null {
    const proof = proofs.get(id)
    if (proof?.status !== 'pending') return null
    Object.assign(proof, { status, assertion: status === 'proven' ? `pv_${id}` : null })
    if (proof.purpose === 'enrollment' && status === 'proven')
      proof.payment_method = enrolled(proof.profile_payment_method_id)
    return proof
  }

  function giveCode(id: string, code: unknown): ProofAnswer {
    const proof = proofs.get(id)
    if (proof === undefined) return refused(404, 'not_found')
    if (code === '123456') return { body: { ...end(id, 'proven'), window_url: null } }
    proof.wrong += 1
    if (proof.wrong === 3) end(id, 'refused')
    return refused(409, 'verification_failed')
  }

  return {
    needs,
    answer(method, path, body) {
      if (path === '/elements/v1/purchase_intent/payment_verifications')
        return begin('approval', String(body.profile_payment_method_id))
      const [, cardId] = /^\/elements\/v1\/payment_methods\/([^/]+)\/payment_verifications$/.exec(path) ?? []
      if (cardId !== undefined)
        return needs.has(cardId) ? begin('enrollment', cardId) : refused(409, 'enrollment_not_pending')
      const [, id, isCode] = /^\/elements\/v1\/payment_verifications\/([^/]+)(\/code)?$/.exec(path) ?? []
      if (id !== undefined && isCode !== undefined) return giveCode(id, body.code)
      const proof = proofs.get(id ?? '')
      if (id !== undefined && method === 'GET')
        return proof === undefined ? refused(404, 'not_found') : { body: { ...proof, window_url: null } }
      if (path === '/elements/v1/ceremonies/open') {
        const opened = proofs.get(String(body.window))
        if (opened !== undefined) opened.is_open = true
        return { body: {} }
      }
      if (path !== '/elements/v1/ceremonies/finish') return null
      const ended = end(String(body.window), body.is_confirmed === true ? 'proven' : 'refused')
      // What was proven of a card's enrollment is not asked again.
      if (ended?.purpose === 'enrollment' && ended.status === 'proven')
        needs.delete(ended.profile_payment_method_id)
      return { body: {} }
    },
    reset() {
      needs.clear()
      proofs.clear()
    },
  }
}

function refused(status: number, code: string): ProofAnswer {
  return { status, body: { detail: { code, message: `The server says ${code}.`, param: null } } }
}

/** In place of the window of the product: says to the stand-in what the person does. */
export const ceremonyPage = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Confirm</title>
<link rel="icon" href="data:,"></head><body><button id="confirm">Confirm</button> <button id="refuse">Refuse</button><script>
const say = (path, more) => fetch('/elements/v1/ceremonies/' + path, { method: 'POST', body: JSON.stringify({ window: location.hash.slice(1), ...more }) })
say('open')
document.getElementById('confirm').onclick = () => say('finish', { is_confirmed: true })
document.getElementById('refuse').onclick = () => say('finish', { is_confirmed: false })
</script></body></html>`
