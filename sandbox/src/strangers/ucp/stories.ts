import type { Product } from '../shop/goods.ts'

/** What happens so many days after the order. A share is in percent of the order. */
export type Later = { day: number; does: 'ship' | 'deliver' | 'refund' | 'cancel'; percent?: number }

/** How a product is sold. Nothing said: as it should be. */
export type Story = {
  about: string
  product?: Partial<Product>
  /** What the catalog says that it costs. */
  catalogPrice?: number
  /** A person has to look: as soon as there is a checkout, with its address, or when it is paid. */
  escalates?: 'create' | 'update' | 'complete'
  /** Where a person goes on then: at the shop's own host for payments, at somebody else's, or without TLS. */
  goesOnAt?: 'checkout' | 'elsewhere' | 'plain'
  /** What its page does with the cart: has it looked over first, asks for the address again, costs more, or holds something else. */
  atPage?: 'review' | 'forgets' | 'dearer' | 'others'
  /** `later`: paid two seconds after the answer. `never`: neither paid nor ended. `held`: the same, with the money held. */
  settles?: 'later' | 'never' | 'held'
  /** The connection breaks at the first attempt to complete. */
  breaks?: 'before' | 'after'
  isDeclined?: true
  /** The total is not the sum of what stands above it. */
  isMiscounted?: true
  /** The same where a code is named. */
  miscountsCodes?: true
  /** How much dearer it is at the first attempt to complete. */
  raisedBy?: number
  /** More than the total is asked for. */
  asksMore?: number
  isPaidElsewhere?: true
  /** What a checkout has instead of what was asked for. */
  shows?: 'others' | 'twice' | 'euros'
  /** The platform has no right to complete; or the shop is busy at the first attempt. */
  refuses?: 'always' | 'once'
  /** Has to be shown to the buyer beside the goods. */
  disclosure?: string
  garbage?: 'create' | 'complete'
  delays?: 'create' | 'complete'
  signs?: 'never' | 'wrongly'
  /** Messages come twice, before the answer to complete, once more after newer ones, or in the name of another shop. */
  tells?: 'twice' | 'first' | 'again' | 'as-another'
  /** The money is held with the order and captured when it ships. */
  capture?: 'later'
  later?: readonly Later[]
}

const usualDays: readonly Later[] = [
  { day: 1, does: 'ship' },
  { day: 3, does: 'deliver' },
]

const stories: Readonly<Record<string, Story>> = {
  kettle: { about: 'A kettle of enamel.' },
  teapot: {
    about: 'A teapot in two sizes.',
    product: {
      options: { Size: ['Small', 'Large'], Color: ['Sage', 'Rust'] },
      variants: [
        { sku: 'teapot-small-sage', choice: { Size: 'Small', Color: 'Sage' }, price: 2500, stock: 40 },
        { sku: 'teapot-small-rust', choice: { Size: 'Small', Color: 'Rust' }, price: 2500, stock: 0 },
        { sku: 'teapot-large-sage', choice: { Size: 'Large', Color: 'Sage' }, price: 3200, stock: 12 },
      ],
    },
  },
  'gift-card': { about: 'A card that comes by mail.', product: { isDigital: true } },
  'last-two': { about: 'Two are left.', product: { stock: 2 } },
  'sold-out': { about: 'There are none.', product: { stock: 0 } },
  'dearer-than-listed': { about: 'Costs less in the catalog.', catalogPrice: 2100 },
  'escalates-at-create': { about: 'A person has to look at once.', escalates: 'create' },
  'escalates-at-update': { about: 'A person has to look, given the address.', escalates: 'update' },
  'escalates-for-review': {
    about: 'A person looks it over at another host.',
    escalates: 'update',
    goesOnAt: 'checkout',
    atPage: 'review',
  },
  'escalates-forgetful': {
    about: 'Its page asks for all of it again.',
    escalates: 'create',
    atPage: 'forgets',
  },
  'escalates-dearer': { about: 'Costs six dollars more at its page.', escalates: 'update', atPage: 'dearer' },
  'escalates-swapped': { about: 'Is something else at its page.', escalates: 'update', atPage: 'others' },
  'escalates-elsewhere': {
    about: 'A person is sent to another shop.',
    escalates: 'create',
    goesOnAt: 'elsewhere',
  },
  'escalates-in-plain': { about: 'A person is sent on without TLS.', escalates: 'create', goesOnAt: 'plain' },
  'escalates-at-complete': { about: 'The bank wants to ask its customer.', escalates: 'complete' },
  'takes-its-time': { about: 'Is paid two seconds later.', settles: 'later' },
  'never-settles': { about: 'Is never paid, and never ends.', settles: 'never' },
  'held-for-ever': { about: 'The money is held, and nothing comes of it.', settles: 'held' },
  'dies-before-order': { about: 'The connection breaks, and nothing is ordered.', breaks: 'before' },
  'dies-after-order': { about: 'The order is made, then the connection breaks.', breaks: 'after' },
  declined: { about: 'No payment is good enough.', isDeclined: true },
  miscounted: { about: 'The total is one dollar more than the sum.', isMiscounted: true },
  'miscounts-codes': { about: 'The total is wrong where a code is named.', miscountsCodes: true },
  'dearer-at-complete': { about: 'Costs three dollars more when it is paid.', raisedBy: 300 },
  'asks-more': { about: 'Ten dollars more than the total are asked for.', asksMore: 1000 },
  swapped: { about: 'Becomes something else of the same price.', shows: 'others' },
  doubled: { about: 'Is there twice in the checkout.', shows: 'twice' },
  'in-euros': { about: 'Costs as many euros as the catalog says dollars.', shows: 'euros' },
  disclosed: { about: 'Can not be returned.', disclosure: 'This item can not be returned.' },
  'free-sample': { about: 'Costs nothing.', product: { price: 0, isDigital: true } },
  'not-allowed': { about: 'Platforms may not complete it.', refuses: 'always' },
  busy: { about: 'The shop is busy at the first attempt to complete.', refuses: 'once' },
  'paid-elsewhere': { about: 'Can be paid with nothing that anybody has.', isPaidElsewhere: true },
  'garbage-at-create': { about: 'Answers a page instead of a checkout.', garbage: 'create' },
  'garbage-at-complete': { about: 'Sells, and answers half of it.', garbage: 'complete' },
  'slow-at-create': { about: 'Answers after 25 seconds.', delays: 'create' },
  'slow-at-complete': { about: 'Sells at once, and answers after 25 seconds.', delays: 'complete' },
  unsigned: { about: 'Nothing of it is signed.', signs: 'never' },
  'wrongly-signed': { about: 'Is signed with a key that nobody knows.', signs: 'wrongly' },
  'told-twice': { about: 'Every message comes twice.', tells: 'twice' },
  'told-first': { about: 'The first message comes before the answer.', tells: 'first' },
  'told-again': { about: 'After each message the one before it comes again.', tells: 'again' },
  'told-by-another': { about: 'Another shop tells what becomes of it.', tells: 'as-another' },
  refunded: {
    about: 'Is recalled after a while.',
    later: [...usualDays, { day: 5, does: 'refund', percent: 100 }],
  },
  'partly-refunded': {
    about: 'A part of the price comes back.',
    later: [...usualDays, { day: 5, does: 'refund', percent: 25 }],
  },
  'charged-when-shipped': { about: 'The money is taken with the parcel.', capture: 'later' },
  cancelled: {
    about: 'The shop cancels the order before it ships.',
    capture: 'later',
    later: [{ day: 1, does: 'cancel' }],
  },
}

const price = 2500

export const products: readonly Product[] = Object.entries(stories).map(([handle, story]) => ({
  handle,
  name: `${(handle[0] ?? '').toUpperCase()}${handle.slice(1).replaceAll('-', ' ')}`,
  description: story.about,
  price,
  ...story.product,
}))

/** The story of what is bought: that of the first line. */
export function storyOf(lines: readonly { sku: string }[]): Story {
  const sku = lines[0]?.sku ?? ''
  const product = products.find(({ handle, variants }) =>
    variants === undefined ? handle === sku : variants.some((variant) => variant.sku === sku),
  )
  return stories[product?.handle ?? ''] ?? { about: '' }
}

export function laterOf({ later = usualDays }: Story): readonly Later[] {
  return later
}
