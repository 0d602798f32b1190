import Type, { type Static } from 'typebox'
import { ValidationProblem } from '../../../contract/problem.ts'
import { Closed, Named } from '../../../contract/schemas.ts'
import { Ruled } from '../../../schema/rules.ts'

/** The quantity of a line, as it was ordered. */
type Ordered = { readonly quantity: number }

/** Some units of one line of an order. */
export const LineQuantity = Named(
  'OrderLineQuantity',
  Closed(
    {
      index: Type.Integer({
        minimum: 0,
        maximum: 99,
        description: "The place of the line in the order's `line_items`, from 0.",
      }),
      quantity: Type.Integer({ minimum: 1, maximum: 10_000, description: 'How many units.' }),
    },
    { description: 'Some units of one line of an order.' },
  ),
)
export type LineQuantity = Static<typeof LineQuantity>

/** The lines that a request names; if it names none, it is about everything that is left. */
const rules = { unknown: 'the order has no line with this index', twice: 'name each line only once' }
export const LineQuantities = Ruled(Type.Array(LineQuantity, { minItems: 1, maxItems: 100 }), rules)

/** Refuses lines that the order does not have, and a line that is named twice. */
export function checkLines(named: readonly LineQuantity[] | undefined, lines: readonly Ordered[]): void {
  const wrong = (named ?? []).flatMap(({ index }, at) => {
    if (index >= lines.length) return [{ at, msg: rules.unknown }]
    const isFirst = named?.findIndex((other) => other.index === index) === at
    return isFirst ? [] : [{ at, msg: rules.twice }]
  })
  if (wrong.length === 0) return
  throw new ValidationProblem(
    wrong.map(({ at, msg }) => ({
      type: 'value_error',
      loc: ['body', 'line_items', at, 'index'],
      msg: `Value error, ${msg}`,
    })),
  )
}

/** The units of each line that are left after `taken`; negative where more was taken than there is. */
export function unitsLeft(
  lines: readonly Ordered[],
  taken: readonly (readonly LineQuantity[])[],
): readonly number[] {
  const left = lines.map(({ quantity }) => quantity)
  for (const { index, quantity } of taken.flat()) left[index] = (left[index] ?? 0) - quantity
  return left
}

/** Everything that is left, as lines. */
export function linesLeft(left: readonly number[]): LineQuantity[] {
  return left.flatMap((quantity, index) => (quantity > 0 ? [{ index, quantity }] : []))
}

/** Whether these units are still available. */
export function isWithin(left: readonly number[], wanted: readonly LineQuantity[]): boolean {
  return wanted.every(({ index, quantity }) => quantity <= (left[index] ?? 0))
}
