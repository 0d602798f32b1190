import { isStrange } from '../../harness/witness.ts'
import type { ShopCharge, StrangersFacts } from './read-strangers.ts'
import type { Planted } from './run-facts.ts'

/** A fault, and the judge that must find it. `plant` answers null where nothing was charged at all. */
type StrangerFault = { fault: string; id: string; plant: (facts: StrangersFacts) => StrangersFacts | null }

/** Faults in what shops that have never heard of us, and the processor, remember of carts there. */
export const strangerFaults: readonly StrangerFault[] = [
  {
    fault: 'a shop charged a cart a second time',
    id: 'M3-strangers-outside',
    plant: (facts) =>
      onCharge(facts, (charge, { charges, booked }) => ({
        charges: [...charges, { ...charge, name: `${charge.name}-again` }],
        booked: [...booked, { name: `${charge.name}-again`, state: 'paid', paid: 1 }],
      })),
  },
  {
    fault: 'an attempt got a second credential',
    id: 'M3-strangers-outside',
    plant: (facts) =>
      onCharge(facts, ({ credential }, { credentials }) => ({
        credentials: credentials.flatMap((one) =>
          one.id === credential ? [one, { ...one, id: 'cred_again', charged: 0 }] : [one],
        ),
      })),
  },
  {
    fault: 'a shop took more than the purchase says',
    id: 'M2-strangers-outside',
    plant: (facts) =>
      onCharge(facts, ({ credential }, { credentials }) => ({
        credentials: credentials.map((one) =>
          one.id === credential ? { ...one, charged: one.charged + 1 } : one,
        ),
      })),
  },
  {
    fault: 'a cart failed that its shop was paid for',
    id: 'M2-strangers-outside',
    plant: (facts) =>
      onCharge(facts, ({ credential }, { credentials, purchases }) => {
        const cart = credentials.find(({ id }) => id === credential)?.cart
        return {
          purchases: purchases.map((one) => ({
            ...one,
            carts: one.carts.map((told) =>
              told.id === cart ? { ...told, status: 'failed', actual_amount: 0 } : told,
            ),
          })),
        }
      }),
  },
  {
    fault: 'a credential of a cart that is over can be used',
    id: 'M6-strangers-outside',
    plant: (facts) =>
      onCharge(facts, ({ credential }, { credentials }) => ({
        credentials: credentials.map((one) => (one.id === credential ? { ...one, isUsable: true } : one)),
      })),
  },
  {
    fault: 'a purchase at a stranger never ended',
    id: 'W2-strangers-outside',
    plant: (facts) =>
      onCharge(facts, (_, { purchases }) => ({
        purchases: purchases.map((one, index) => (index === 0 ? { ...one, status: 'approved' } : one)),
      })),
  },
  {
    fault: 'a shop was paid, and has no order for it',
    id: 'W3-strangers-outside',
    plant: (facts) =>
      onCharge(facts, ({ name }, { booked }) => ({ booked: booked.filter((order) => order.name !== name) })),
  },
  {
    fault: 'a shop says that it was paid twice for an order',
    id: 'W3-strangers-outside',
    plant: (facts) =>
      onCharge(facts, ({ name }, { booked }) => ({
        booked: booked.map((order) => (order.name === name ? { ...order, paid: 2 } : order)),
      })),
  },
  {
    fault: 'a shop was paid with a credential of nobody',
    id: 'W3-strangers-outside',
    plant: (facts) =>
      onCharge(facts, (charge, { charges }) => ({
        charges: charges.map((one) => (one === charge ? { ...one, credential: 'cred_of_nobody' } : one)),
      })),
  },
]

/** The same in the facts of a whole load. */
export const plantedAtStrangers: readonly Planted[] = strangerFaults.map(({ fault, id, plant }) => ({
  fault,
  id,
  plant: (facts) => {
    const strangers = plant(facts.traded.strangers)
    return strangers && { ...facts, traded: { ...facts.traded, strangers } }
  },
}))

/** Plants in the first cart that its shop was paid for. */
function onCharge(
  facts: StrangersFacts,
  change: (charge: ShopCharge, facts: StrangersFacts) => Partial<StrangersFacts>,
): StrangersFacts | null {
  const bought = new Set(
    facts.purchases.flatMap(({ carts }) =>
      carts.filter((cart) => isStrange(cart) && cart.status === 'succeeded').map(({ id }) => id),
    ),
  )
  const paid = new Set(facts.credentials.flatMap(({ id, cart }) => (bought.has(cart) ? [id] : [])))
  const charge = facts.charges.find(({ credential }) => paid.has(credential))
  return charge ? { ...facts, ...change(charge, facts) } : null
}
