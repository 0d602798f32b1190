import { call, type Fetch, type Outcome, recordOf } from '../../../frame/src/calls/call.ts'
import type { LinkToken } from '../link-token.ts'
import { type Purchase, purchaseOf } from './purchase.ts'
import { type SavedCard, savedCardOf } from './saved-card.ts'

/** Who asks, as it is told before the person goes on. */
export type Asking = {
  readonly name: string
  readonly isTest: boolean
  readonly answerBy: Date
  /** How the purchase stands, where this browser has answered; null: the person is asked. */
  readonly outcome: Ended | null
}

type Ended = { readonly id: string; readonly status: string; readonly returnUrl: string | null }

/** The page as a person sees it who has gone on. What they approve is this and nothing newer. */
export type OpenedPage = {
  readonly session: string
  /** Where a typed code is left; null: nobody types one here. */
  readonly vaultUrl: string | null
  readonly returnUrl: string | null
  readonly buyer: readonly string[]
  /** The lines of the address; null: nothing is shipped. */
  readonly shipTo: readonly string[] | null
  readonly purchase: Purchase
  readonly cards: readonly SavedCard[]
}

export async function lookAtLink(fetch: Fetch, { token, secret }: LinkToken): Promise<Outcome<Asking>> {
  const said = await call(fetch, {
    url: '/elements/v1/approval_links/look',
    body: { token, claim_secret: secret },
  })
  if (said.kind !== 'done') return said
  const { account_name, mode, answer_by, outcome } = said.value
  const { purchase_intent_id, status, return_url } = recordOf(outcome)
  return {
    kind: 'done',
    value: {
      name: String(account_name),
      isTest: mode === 'test',
      answerBy: new Date(String(answer_by)),
      outcome:
        outcome === null
          ? null
          : { id: String(purchase_intent_id), status: String(status), returnUrl: urlOf(return_url) },
    },
  }
}

/** Claims the link, and reads everything that is shown. Whoever has claimed it before claims it again. */
export async function openPage(fetch: Fetch, { token, secret }: LinkToken): Promise<Outcome<OpenedPage>> {
  const claimed = await call(fetch, {
    url: '/elements/v1/approval_links/claim',
    body: { token, claim_secret: secret },
  })
  if (claimed.kind !== 'done') return claimed
  const session = String(claimed.value.session)
  const get = (path: string) => call(fetch, { method: 'GET', url: `/elements/v1/${path}`, session })
  const [purchase, cards] = await Promise.all([get('purchase_intent'), get('payment_methods')])
  if (purchase.kind !== 'done') return purchase
  if (cards.kind !== 'done') return cards
  const { vault_url, return_url, buyer, ship_to } = claimed.value
  const { data } = cards.value
  return {
    kind: 'done',
    value: {
      session,
      vaultUrl: urlOf(vault_url),
      returnUrl: urlOf(return_url),
      buyer: linesOf(buyer, ['name', 'email', 'phone']),
      shipTo: ship_to === null ? null : addressLines(recordOf(ship_to)),
      purchase: purchaseOf(purchase.value),
      cards: (Array.isArray(data) ? data : []).map(recordOf).map(savedCardOf),
    },
  }
}

function urlOf(said: unknown): string | null {
  return typeof said === 'string' ? said : null
}

function linesOf(said: unknown, names: readonly string[]): string[] {
  const record = recordOf(said)
  return names.flatMap((name) => (typeof record[name] === 'string' ? [record[name]] : []))
}

function addressLines(address: Record<string, unknown>): string[] {
  const place = linesOf(address, ['postal_code', 'city', 'state', 'country']).join(' ')
  return [...linesOf(address, ['recipient_name', 'line1', 'line2']), place]
}
