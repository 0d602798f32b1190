import { type Outcome, recordOf } from './call.ts'
import { itemName, visible } from './item-name.ts'
import type { SessionCalls } from './session.ts'

/** What a person is asked to pay for, as our server tells it: the page around the frame has no say in it. */
export type Purchase = {
  /** What it names to be charged. */
  readonly cardId: string | null
  readonly currency: string
  /** The most that can be charged in all, in minor units. */
  readonly cap: number
  /** By the host of the shop. */
  readonly shops: readonly Shop[]
  /** What shops that ask for it get of what the person has kept: in their words, and the host that gets it. */
  readonly answers: readonly string[]
}

export type Shop = { readonly host: string; readonly items: readonly Item[] }

type Item = {
  readonly id: string
  /** The end of the address of its page: there is no name of it yet. */
  readonly name: string
  /** What was chosen of it, such as its size. */
  readonly choices: readonly string[]
  readonly quantity: number
  /** Of one unit, in minor units. */
  readonly amount: number
}

export async function getPurchase({ ask }: SessionCalls): Promise<Outcome<Purchase>> {
  const said = await ask('purchase_intent')
  return said.kind === 'done' ? { kind: 'done', value: purchaseOf(said.value) } : said
}

export function purchaseOf(said: Record<string, unknown>): Purchase {
  // What is asked is the new price, where the shop has changed it.
  const proposal = recordOf(recordOf(said.next_action).proposal)
  const amounts = new Map(
    recordsOf(proposal.items).map(({ id, unit_amount }) => [String(id), Number(unit_amount)]),
  )
  const shops = new Map<string, Item[]>()
  for (const item of recordsOf(said.items)) {
    const url = URL.canParse(String(item.url)) ? new URL(String(item.url)) : null
    const host = url?.host ?? ''
    const id = String(item.id)
    shops.set(host, [
      ...(shops.get(host) ?? []),
      {
        id,
        name: url === null ? '' : itemName(url),
        choices: recordsOf(recordOf(item.variant).selections).map(({ value }) => visible(String(value))),
        quantity: Number(item.quantity),
        amount: amounts.get(id) ?? Number(item.expected_amount),
      },
    ])
  }
  return {
    cardId: typeof said.profile_payment_method_id === 'string' ? said.profile_payment_method_id : null,
    currency: String(said.currency_code),
    cap: Number(proposal.max_allowed_amount ?? said.max_allowed_amount),
    shops: [...shops].map(([host, items]) => ({ host, items })),
    answers: recordsOf(said.shop_answers).map(
      ({ host, label }) => `${visible(String(label))} (${String(host)})`,
    ),
  }
}

export function recordsOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.map(recordOf) : []
}
