import { type Arena, approveOf, type Racing } from '../arena.ts'
import { type Bought, buy, createPurchases, expectMoney, placed } from './order-life.ts'
import { until } from './orders.ts'

/** More carts at once than a promotion has uses: exactly as many get it as it has uses, and the others pay the catalog's price. */
export async function racePromotions(arena: Arena): Promise<undefined> {
  const [wanting, room] = [10, 3]
  for (let round = 0; round < arena.rounds(1); round++) {
    const { id } = await arena.ask(
      {
        method: 'POST',
        path: '/v1/promotions',
        body: {
          name: `Raced ${round}`,
          currency: arena.service.ready.sandbox.item_currency,
          arms: [{ kind: 'percent', value: 2000, ttl_minutes: 30 }],
          caps: { total_uses: room },
        },
      },
      201,
    )
    const path = `/v1/promotions/${id}`
    await arena.ask({ method: 'POST', path: `${path}/publish` }, 200)
    const bought = await buy(arena, 'ok', wanting)
    await expectMoney(arena, bought)
    const orders = await Promise.all(bought.map((one) => orderOf(arena, one)))
    const given = orders.filter(({ totals }) => totals.some(({ type }) => type === 'discount'))
    const { usage } = await arena.ask({ method: 'GET', path }, 200)
    const { uses } = usage as { uses: number } // the contract's own shape
    arena.expect(
      given.length === room && uses === room,
      () => `a promotion for ${room} was given to ${given.length} of ${wanting}, and says ${uses}`,
    )
    await arena.ask({ method: 'POST', path: `${path}/end` }, 200)
  }
}

/** A rate card is archived while carts are priced: each order pays its fee, or the fee without it, and no other. */
export async function raceRateCardPurchases(arena: Arena): Promise<undefined> {
  const cardFee = 1
  const { id } = await arena.ask(
    {
      method: 'POST',
      path: '/v1/rate_cards',
      body: {
        name: 'Raced',
        fulfillment_type: 'shipping',
        currency: arena.service.ready.sandbox.item_currency,
        status: 'active',
        rate: { kind: 'flat', amount: cardFee },
      },
    },
    201,
  )
  const [first] = await buy(arena, 'ok', 1)
  const waiting = await createPurchases(arena, 'ok', arena.rounds(8))
  const archive: Racing = { method: 'POST', path: `/v1/rate_cards/${id}/archive` }
  const half = Math.ceil(waiting.length / 2)
  await arena.race(waiting.slice(0, half).map((one) => approveOf(one)))
  await arena.race([archive, ...waiting.slice(half).map((one) => approveOf(one))])
  await until(async () => (await arena.query(placed, waiting)).length === waiting.length)
  const bought = await arena.query<Bought>(placed, waiting)
  const [last] = await buy(arena, 'ok', 1)
  if (!first || !last) throw new Error('nothing was bought')
  const without = feeOf(await orderOf(arena, last))
  const fees = (await Promise.all(bought.map((one) => orderOf(arena, one)))).map(feeOf)
  arena.expect(
    feeOf(await orderOf(arena, first)) === cardFee && without !== cardFee,
    () => `a rate card of ${cardFee} was not used, or is used when it is archived: ${without}`,
  )
  arena.expect(
    fees.every((fee) => fee === cardFee || fee === without),
    () => `orders beside an archived rate card of ${cardFee} pay ${fees}, and without it ${without}`,
  )
  await expectMoney(arena, [first, ...bought, last])
}

type Order = { totals: readonly { type: string; amount: number }[] }

async function orderOf(arena: Arena, { order }: Bought): Promise<Order> {
  const shown = await arena.ask({ method: 'GET', path: `/v1/orders/${order}` }, 200)
  return { totals: shown.totals as Order['totals'] } // the contract's own shape
}

function feeOf({ totals }: Order): number {
  return totals.find(({ type }) => type === 'fulfillment')?.amount ?? 0
}
