import { type Address, home } from './address.tsx'

/** What the interface refuses, in its own words. */
export class Refusal extends Error {
  readonly status: number
  readonly code: string
  /** What a person has to confirm by a passkey; null: it is refused as it is. */
  readonly stepUp: StepUp | null

  constructor(status: number, detail: Record<string, unknown>) {
    super(String(detail.message ?? `The server answered ${status}.`))
    this.status = status
    this.code = String(detail.code ?? 'unknown')
    // The server that serves this page has made it.
    this.stepUp = this.code === 'step_up_required' ? (detail.step_up as StepUp) : null
  }
}

export type StepUp = {
  readonly id: string
  readonly terms: Readonly<Record<string, unknown>>
  readonly options: Readonly<Record<string, unknown>>
}

type Method = 'GET' | 'POST' | 'DELETE'

export type Request = {
  readonly method: Method
  /** From the root of the API. */
  readonly path: string
  readonly body?: object
  /** What a passkey has signed for exactly this. */
  readonly confirmed?: string
}

/** A connection that has died without a word tells nobody: what takes longer than this is lost. */
const lostAfterMs = 60_000

/** Calls the interface as the person who has signed in, in the account and mode of the address. Throws a `Refusal`, or what went wrong. */
export async function call<Answer>(
  { account, mode }: Pick<Address, 'account' | 'mode'>,
  { method, path, body, confirmed }: Request,
): Promise<Answer> {
  const response = await fetch(home.pathname.replace(/\/console$/, '') + path, {
    method,
    cache: 'no-store',
    redirect: 'error',
    signal: AbortSignal.timeout(lostAfterMs),
    headers: {
      'prokura-mode': mode,
      ...(account === null ? {} : { 'prokura-account': account }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(confirmed === undefined ? {} : { 'prokura-step-up': confirmed }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const said: Record<string, unknown> = (await response.json().catch(() => null)) ?? {}
  if (response.ok) return said as Answer // of the same release as this page
  throw new Refusal(response.status, detailOf(said.detail))
}

/** What is wrong with fields is a list, of which each entry says what. */
function detailOf(detail: unknown): Record<string, unknown> {
  if (Array.isArray(detail))
    return { code: 'invalid_request', message: detail.map(({ msg }) => String(msg)).join('; ') }
  return typeof detail === 'object' && detail !== null ? { ...detail } : {}
}
