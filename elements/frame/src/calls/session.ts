import { call, type Fetch, type Outcome, type Request } from './call.ts'

/** What says who this form is for. It lives in this frame's memory alone. */
export type Session = {
  readonly token: string
  /** Where what nobody else may see is left; null: cards are entered at `cardsUrl` alone. */
  readonly vaultUrl: string | null
  /** The page on which the payment processor takes cards; null: they go to the vault. */
  readonly cardsUrl: string | null
  /** What the component may do in it. */
  readonly may: readonly string[]
}

/** Calls in the name of whoever the component is for. The calls of each component are made of these. */
export type SessionCalls = {
  /** Opens the session, unless one is open. */
  open(): Promise<Outcome<Session>>
  /** The next call opens another one. */
  forget(): void
  /** Does work that takes several calls. A session that is over is opened again once, without anybody noticing. */
  within<T>(work: (session: Session) => Promise<Outcome<T>>): Promise<Outcome<T>>
  /** One call to an operation of the surface, by its path below `/elements/v1/`. */
  ask(path: string, request?: Asked): Promise<Outcome<Record<string, unknown>>>
  /** A call of any kind: the vault's too. */
  send(request: Request): Promise<Outcome<Record<string, unknown>>>
}

type Asked = Pick<Request, 'method' | 'body' | 'idempotencyKey'>

export function createSessionCalls(fetch: Fetch, openSession: () => Promise<Outcome<Session>>): SessionCalls {
  let session: Session | null = null
  const send = (request: Request) => call(fetch, request)

  async function open(): Promise<Outcome<Session>> {
    if (session !== null) return { kind: 'done', value: session }
    const opened = await openSession()
    if (opened.kind === 'done') session = opened.value
    return opened
  }

  async function within<T>(work: (session: Session) => Promise<Outcome<T>>): Promise<Outcome<T>> {
    for (let attempt = 1; ; attempt += 1) {
      const opened = await open()
      if (opened.kind !== 'done') return opened
      const outcome = await work(opened.value)
      if (attempt > 1 || outcome.kind !== 'refused' || outcome.code !== 'session_expired') return outcome
      if (session === opened.value) session = null
    }
  }

  return {
    open,
    forget() {
      session = null
    },
    within,
    ask: (path, request = { method: 'GET' }) =>
      within(({ token }) => send({ ...request, url: `/elements/v1/${path}`, session: token })),
    send,
  }
}
