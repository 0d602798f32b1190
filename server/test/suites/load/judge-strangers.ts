import { isStrange, type ToldCart, type ToldPurchase } from '../../harness/witness.ts'
import type { Verdict } from './judge-journal.ts'
import type { IssuedCredential, ShopCharge, StrangersFacts } from './read-strangers.ts'

type Known = { cart: ToldCart; credentials: readonly IssuedCredential[]; charges: readonly ShopCharge[] }

/**
 * Compares carts at shops that have never heard of us with the memory of the processor, and that with the books of these shops. A charge
 * belongs to the cart whose credential it was made with: neither the shop nor our rows are asked whose it is.
 */
export function judgeStrangers(facts: StrangersFacts): Verdict[] {
  const issued = Map.groupBy(facts.credentials, ({ cart }) => cart)
  const used = Map.groupBy(facts.charges, ({ credential }) => credential)
  const carts = facts.purchases.flatMap(({ id, carts: all }) =>
    all.filter(isStrange).map((cart) => {
      const credentials = issued.get(cart.id) ?? []
      const charges = credentials.flatMap((one) => used.get(one.id) ?? [])
      return { name: `${id}/${cart.id}`, known: { cart, credentials, charges } }
    }),
  )
  const ofEach = (id: string, title: string, find: (known: Known) => string[]): Verdict => ({
    ...{ id, title, checked: carts.length },
    violations: carts.flatMap(({ name, known }) => find(known).map((what) => `${name} ${what}`)),
  })
  return [
    ofEach('M3-strangers-outside', 'A shop charges a cart once, and an attempt once', chargeProblems),
    ofEach('M2-strangers-outside', 'A cart at a shop costs what that has taken', costProblems),
    ofEach('M6-strangers-outside', 'Nothing can be charged for a cart that is over', ({ credentials }) =>
      credentials.flatMap(({ id, isUsable }) => (isUsable ? [`is over, and ${id} can be used`] : [])),
    ),
    {
      id: 'W2-strangers-outside',
      title: 'A purchase at strangers ends, and costs the sum of its carts',
      checked: facts.purchases.length,
      violations: facts.purchases.flatMap(endProblems),
    },
    {
      id: 'W3-strangers-outside',
      title: 'The books of the shops have what the processor paid, and nothing else',
      checked: facts.charges.length,
      violations: bookProblems(facts),
    },
  ]
}

function chargeProblems({ credentials, charges }: Known): string[] {
  const attempts = Map.groupBy(credentials, ({ attempt }) => attempt)
  return [
    ...(charges.length > 1 ? [`was charged ${charges.length} times`] : []),
    ...[...attempts].flatMap(([attempt, same]) =>
      same.length > 1 ? [`got ${same.length} credentials for attempt ${attempt}`] : [],
    ),
  ]
}

function costProblems({ cart, credentials, charges }: Known): string[] {
  const { channel, status, actual_amount: told, max_allowed_amount: max } = cart
  const took = credentials.reduce((sum, { charged }) => sum + charged, 0)
  const asked = charges.reduce((sum, { amount }) => sum + amount, 0)
  return [
    ...(took === told ? [] : [`of ${channel} is ${status} for ${told}, and ${took} was charged`]),
    ...((status === 'succeeded') === took > 0 ? [] : [`is ${status}, and ${took} was charged`]),
    ...(took <= max ? [] : [`may cost ${max}, and ${took} was charged`]),
    // The shops of a load give nothing back.
    ...(asked === took ? [] : [`was charged ${took}, and its shop asked for ${asked}`]),
  ]
}

const over: readonly string[] = ['succeeded', 'failed', 'cancelled', 'declined']

function endProblems({ id, status, actual_amount, carts }: ToldPurchase): string[] {
  const sum = carts.reduce((total, cart) => total + cart.actual_amount, 0)
  const open = carts.filter((cart) => !over.includes(cart.status))
  return [
    ...(over.includes(status) ? [] : [`${id} is still ${status}`]),
    ...open.map((cart) => `${id} ${cart.id} is still ${cart.status}`),
    ...(sum === actual_amount ? [] : [`${id} says that it cost ${actual_amount}, its carts ${sum}`]),
  ]
}

function bookProblems({ credentials, charges, booked }: StrangersFacts): string[] {
  const known = new Set(credentials.map(({ id }) => id))
  const chargesOf = Map.groupBy(charges, ({ name }) => name)
  const books = new Map(booked.map((order) => [order.name, order]))
  return [
    ...charges.flatMap(({ name, credential }) =>
      known.has(credential) ? [] : [`${name} was paid with ${credential}, which is of no cart`],
    ),
    ...[...chargesOf.keys()].flatMap((name) =>
      books.has(name) ? [] : [`${name} was paid, and its shop has no such order`],
    ),
    ...booked.flatMap(({ name, state, paid }) => {
      const times = chargesOf.get(name)?.length ?? 0
      // The answer to its question was lost, and it asks again when it is started the next time.
      const isWaiting = state === 'charging' && paid === 0
      return paid === times || (isWaiting && times === 1)
        ? []
        : [`${name} is ${state} and was paid ${paid} times by its shop, ${times} times by the processor`]
    }),
  ]
}
