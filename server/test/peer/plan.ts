import Type, { type Static } from 'typebox'
import { ProfileCreate } from '../../src/domain/buyers/profiles/public.ts'
import { parseJson } from '../../src/schema/strict-json.ts'
import { compileSchema } from '../../src/schema/validation.ts'

const strict = { additionalProperties: false } as const
const words = Type.String({ minLength: 1 })
/** Several where a book may write the same in several ways. */
const oneOrMore = Type.Union([Type.String(), Type.Array(Type.String(), { minItems: 1 })])
const amount = Type.Integer({ minimum: 0 })
const port = Type.Integer({ minimum: 1, maximum: 65_535 })
const host = Type.String({ pattern: '^[a-z][a-z0-9-]{0,29}\\.shop\\.test$' })

/** What a parcel has to say, by the column of the book. */
const Parcel = Type.Partial(
  Type.Object({
    name: oneOrMore,
    street: oneOrMore,
    number: oneOrMore,
    line2: oneOrMore,
    postal_code: oneOrMore,
    city: oneOrMore,
    state: oneOrMore,
    country: oneOrMore,
    phone: oneOrMore,
    email: oneOrMore,
  }),
  strict,
)

const Product = Type.Object(
  {
    name: words,
    path: Type.String({ pattern: '^/' }),
    /** One unit, as a guest sees it. */
    price: amount,
    quantity: Type.Optional(Type.Integer({ minimum: 1 })),
    selections: Type.Optional(
      Type.Array(Type.Object({ name: Type.String(), value: Type.String() }, strict), { minItems: 1 }),
    ),
    goods: oneOrMore,
    options: Type.Optional(Type.Array(Type.String())),
  },
  strict,
)

const Buyer = Type.Object(
  {
    name: words,
    profile: ProfileCreate,
    parcel: Type.Optional(Parcel),
    answers: Type.Optional(Type.Record(Type.String(), Type.String())),
  },
  strict,
)

const Expected = Type.Object(
  {
    product: Type.Optional(Type.String()),
    buyer: Type.Optional(Type.String()),
    total: Type.Optional(amount),
    refused: Type.Optional(Type.Union([Type.Literal(true), oneOrMore])),
  },
  strict,
)

const bookFields = {
  columns: Type.Optional(Type.Record(Type.String(), Type.String())),
  lines: Type.Optional(words),
}
const Book = Type.Union([
  Type.Object({ command: Type.Array(Type.String(), { minItems: 1 }), ...bookFields }, strict),
  Type.Object(
    { url: Type.String({ pattern: '^https?://' }), rows: Type.Optional(words), ...bookFields },
    strict,
  ),
])

const PlanFile = Type.Object(
  {
    name: words,
    host,
    processor_port: port,
    currency: Type.String({ pattern: '^[A-Z]{3}$' }),
    fees_most: Type.Optional(amount),
    payment_host: Type.Optional(Type.Object({ host, port }, strict)),
    products: Type.Array(Product, { minItems: 1 }),
    buyers: Type.Array(Buyer, { minItems: 2 }),
    expected: Type.Optional(Type.Array(Expected)),
    paid: Type.Optional(Type.Array(Type.String(), { minItems: 1 })),
    book: Book,
  },
  strict,
)

export type Plan = Static<typeof PlanFile>
/** What is bought at a shop, for whom, and how that has to end. */
export type Purchases = Pick<
  Plan,
  'host' | 'currency' | 'fees_most' | 'products' | 'buyers' | 'expected' | 'paid'
>
export type PlannedProduct = Static<typeof Product>
export type PlannedBuyer = Static<typeof Buyer>
export type ParcelField = keyof Static<typeof Parcel>
export type BookSource = Static<typeof Book>

const planFile = compileSchema(PlanFile, 'body')

/** What is wrong with a plan, a sentence a line. */
export class WrongPlan extends Error {}

/** Reads the file of `--plan` (docs/testing.md). */
export function readPlan(bytes: Uint8Array): Plan {
  const parsed = parseJson(bytes)
  if (!parsed.ok) throw new WrongPlan(`${parsed.error.msg}, at character ${parsed.error.loc[1]}`)
  const { value } = parsed
  if (!planFile.check(value))
    throw new WrongPlan(
      planFile
        .errors(value)
        .map(({ loc, msg }) => `${pathOf(loc.slice(1))}: ${msg}`)
        .join('\n'),
    )
  const wrong = contradictionsOf(value)
  if (wrong.length > 0) throw new WrongPlan(wrong.join('\n'))
  return value
}

/** `buyers[0].profile.email` */
function pathOf(loc: readonly (string | number)[]): string {
  const path = loc.map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`)).join('')
  return path === '' ? 'The plan' : path.replace(/^\./, '')
}

/** What no schema says: what is named twice, or not at all. */
function contradictionsOf({
  products,
  buyers,
  expected = [],
  host: own,
  payment_host: payment,
}: Plan): string[] {
  const wrong: string[] = []
  for (const [kind, all] of [
    ['product', products],
    ['buyer', buyers],
  ] as const) {
    const names = all.map(({ name }) => name)
    for (const name of new Set(names.filter((one, index) => names.indexOf(one) !== index)))
      wrong.push(`${kind}s: "${name}" is the name of several`)
    for (const [index, { [kind]: named }] of expected.entries())
      if (named !== undefined && !names.includes(named))
        wrong.push(`expected[${index}].${kind}: there is no ${kind} "${named}"`)
  }
  for (const [index, { profile }] of buyers.entries())
    if (countryOf(profile) === null) wrong.push(`buyers[${index}].profile.addresses: one address is needed`)
  if (new Set(buyers.map(({ profile }) => countryOf(profile))).size < 2)
    wrong.push('buyers: buyers of at least two countries are needed')
  if (payment?.host === own) wrong.push('payment_host.host: this is the host of the shop')
  return wrong
}

function countryOf({ addresses }: PlannedBuyer['profile']): string | null {
  return addresses?.[0]?.country ?? null
}

type ExpectedEnd = {
  /** In minor units; null: not known. */
  readonly total: number | null
  /** The codes that it may fail with; empty: any. Null: it has to be bought. */
  readonly refused: readonly string[] | null
}

/** How a purchase has to end. What stands later in the plan counts. */
export function expectedOf(
  { expected = [] }: Purchases,
  product: PlannedProduct,
  buyer: PlannedBuyer,
): ExpectedEnd {
  const about = expected.filter(
    (one) => (one.product ?? product.name) === product.name && (one.buyer ?? buyer.name) === buyer.name,
  )
  const { total = null, refused = null } = Object.assign({}, ...about) as (typeof about)[number]
  return { total, refused: refused === null ? null : refused === true ? [] : [refused].flat() }
}
