import { call, type Fetch, type Outcome } from './call.ts'
import { createSessionCalls, type Session, type SessionCalls } from './session.ts'

type SessionRequest = {
  readonly publishable_key: string
  readonly bootstrap: string
  readonly component: string
  readonly profile_id?: string
  readonly purchase_intent_id?: string
  readonly client_secret?: string
}

export type FrameCalls = SessionCalls & {
  /** The page has got another bootstrap: the next session is opened with it. */
  renew(bootstrap: string): void
}

/**
 * Calls in sessions that are opened with what the page has begun with. None is before the words of the form: nothing that a person reads
 * changes once it is shown.
 */
export function createFrameCalls(
  fetch: Fetch,
  request: SessionRequest,
  words: Promise<void> = Promise.resolve(),
): FrameCalls {
  let { bootstrap } = request
  const calls = createSessionCalls(fetch, async () => {
    const [opened] = await Promise.all([openSession(fetch, { ...request, bootstrap }), words])
    return opened
  })
  return {
    ...calls,
    renew(next) {
      bootstrap = next
      calls.forget()
    },
  }
}

async function openSession(fetch: Fetch, body: SessionRequest): Promise<Outcome<Session>> {
  const said = await call(fetch, { url: '/elements/v1/sessions', body })
  if (said.kind !== 'done') return said
  const { session, vault_url, cards_url, may } = said.value
  return typeof session === 'string'
    ? {
        kind: 'done',
        value: {
          token: session,
          vaultUrl: typeof vault_url === 'string' ? vault_url : null,
          cardsUrl: typeof cards_url === 'string' ? cards_url : null,
          may: Array.isArray(may) ? may.map(String) : [],
        },
      }
    : { kind: 'no_answer' }
}
