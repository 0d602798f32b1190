// JSON of ours, in the database and between processes, holds amounts as text: a number of JSON is exact up to 2^53 only.

/** The names that amounts have there, and nothing else that is written in digits. */
const names: ReadonlySet<string> = new Set([
  'amount',
  'discount',
  'feeAllowance',
  'fulfillment',
  'owed',
  'subtotal',
  'tax',
  'total',
  'unitAmount',
])

/** For `JSON.stringify`. */
export function amountToJson(name: string, part: unknown): unknown {
  if (typeof part !== 'bigint') return part
  if (!names.has(name)) throw new Error(`no amount in JSON is called ${name}`)
  return part.toString()
}

/** For `JSON.parse`. Older rows hold numbers. */
export function amountFromJson(name: string, part: unknown): unknown {
  if (!names.has(name)) return part
  const isAmount = typeof part === 'string' ? /^-?\d{1,19}$/.test(part) : Number.isSafeInteger(part)
  return isAmount ? BigInt(part as string | number) : part // looked at
}

/** A value whose JSON a driver has parsed already, with its amounts. */
export function withAmounts<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value
  const read = Array.isArray(value)
    ? value.map((part: unknown) => withAmounts(part))
    : Object.fromEntries(
        Object.entries(value).map(([name, part]) => [name, withAmounts(amountFromJson(name, part))]),
      )
  return read as Value // the same parts under the same names
}
