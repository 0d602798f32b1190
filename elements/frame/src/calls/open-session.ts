import { call, type Fetch, type Outcome } from './call.ts'

/** What says who this form is for. It lives in this frame's memory alone. */
export type Session = { readonly token: string; readonly vaultUrl: string }

export type SessionRequest = {
  readonly publishable_key: string
  readonly bootstrap: string
  readonly component: string
  readonly profile_id: string
  readonly client_secret?: string
}

export async function openSession(fetch: Fetch, body: SessionRequest): Promise<Outcome<Session>> {
  const said = await call(fetch, { url: '/elements/v1/sessions', body })
  if (said.kind !== 'done') return said
  const { session, vault_url } = said.value
  return typeof session === 'string' && typeof vault_url === 'string'
    ? { kind: 'done', value: { token: session, vaultUrl: vault_url } }
    : { kind: 'no_answer' }
}
