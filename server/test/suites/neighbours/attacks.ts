import type { Page } from '../anywhere/shop-pages.ts'
import type { SuiteSize } from '../suite.ts'

/** What one account buys at once. */
export type Attack = {
  readonly name: string
  readonly pages: readonly Pick<Page, 'url' | 'price' | 'currency'>[]
  /** Nothing is wrong with it but that there are so many. */
  readonly isHonest: boolean
}

const hostile = (handle: string) => ({
  url: `https://hostile.shop.test/product/${handle}`,
  price: 2000,
  currency: 'USD',
})
const slow = { url: 'https://slow.shop.test/product/slow-pages', price: 2500, currency: 'USD' }
const honest = { url: 'https://app.shop.test/products/socks', price: 2400, currency: 'USD' }

function times<T>(count: number, one: T): T[] {
  return Array.from({ length: count }, () => one)
}

function attack(name: string, ...handles: readonly string[]): Attack {
  return { name, pages: handles.map(hostile), isHonest: false }
}

const loops = attack('pages that loop', ...times(8, 'loops'))
const giants = attack('giant pages', 'giant-meta', 'giant-data', 'giant-page', 'giant-meta', 'giant-data')
const crashes = attack('crashes', ...times(3, 'memory-bomb'), 'talks')
const windows = attack('windows', ...times(4, 'windows'))
const many: Attack = { name: 'forty slow carts', pages: times(40, slow), isHonest: true }
const agents: Attack = { name: 'twenty honest agents', pages: times(20, honest), isHonest: true }

function together(name: string, ...attacks: readonly Attack[]): Attack {
  return { name, pages: attacks.flatMap(({ pages }) => pages), isHonest: false }
}

/** In the gate attacks of all kinds come at once. */
export const attacksOf: Readonly<Record<SuiteSize, readonly Attack[]>> = {
  gate: [
    together(
      'all at once',
      attack(
        'some of each',
        'loops',
        'giant-meta',
        'windows',
        'loops',
        'memory-bomb',
        'talks',
        'giant-data',
        'loops',
      ),
      many,
    ),
  ],
  long: [
    loops,
    giants,
    crashes,
    windows,
    many,
    agents,
    together('together', loops, giants, crashes, windows, many),
  ],
}
