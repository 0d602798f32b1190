/** What stands of a card that was charged, in minor units: what is held, and what was taken and not given back. */
export type CardCharge = { readonly card: string; readonly amount: number }

type Movement = {
  virtual_card: string | null
  credential: string | null
  authorized: number
  captured: number
  refunded: number
}

/** What became of all cards after a movement, and the last movement so far. */
export async function chargesAfter(
  logUrl: string,
  after: number,
): Promise<{ cards: CardCharge[]; next: number }> {
  const cards = new Map<string, number>()
  for (let next = after; ; ) {
    const url = new URL(`/v1/card_movements?after=${next}`, logUrl)
    const page: { data: Movement[]; next: number } = JSON.parse(await (await fetch(url)).text())
    // Each movement has the totals after it.
    for (const { virtual_card, credential, authorized, captured, refunded } of page.data)
      cards.set(virtual_card ?? credential ?? '', authorized + captured - refunded)
    if (page.data.length === 0)
      return {
        cards: [...cards].filter(([, amount]) => amount > 0).map(([card, amount]) => ({ card, amount })),
        next: page.next,
      }
    next = page.next
  }
}
