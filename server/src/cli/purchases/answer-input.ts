import type { PurchaseIntent } from '../../domain/buying/intents/intent.ts'
import { asks, asksYes } from './ask.ts'
import type { ProductApi } from './product-api.ts'
import { askedFields, type Field } from './say-next.ts'

type Value = string | number

/** Whether a purchase waits to be told what a command can tell. */
export function waitsToBeTold({ next_action: action }: PurchaseIntent): boolean {
  return askedFields(action).some(({ kind }) => kind !== 'address' && kind !== 'code')
}

/** `given`: values by name. `keep`: whether the profile keeps them for the next purchase at the shop; undefined: the person is asked that, too. */
type Telling = {
  readonly given: ReadonlyMap<string, string>
  readonly mayAsk: boolean
  readonly keep?: boolean | undefined
}

/** Sends a value for each field that the purchase asks for: as given (`NAME=VALUE`), and the person is asked for the rest. */
export async function answerInput(
  api: ProductApi,
  purchase: PurchaseIntent,
  { given, mayAsk, keep }: Telling,
): Promise<PurchaseIntent> {
  const { id, next_action: action, carts } = purchase
  const values: Record<string, Value> = {}
  const fields = askedFields(action)
  for (const field of fields) {
    const text = given.get(field.name) ?? (mayAsk ? await asks(questionFor(field)) : undefined)
    // The service says which of its fields are missing, and why a value does not fit.
    if (text !== undefined) values[field.name] = typedValue(field, text)
  }
  for (const [name, text] of given) values[name] ??= text
  const cart = action?.cart_id === undefined ? {} : { cart_id: action.cart_id }
  const asking = carts.find((one) => one.id === action?.cart_id)
  const isKept = keep ?? (mayAsk && asking?.channel !== 'native' && (await asksToKeep(fields)))
  return api.post(`/v1/purchase_intents/${id}/input`, { ...cart, values, ...(isKept ? { keep: true } : {}) })
}

/** Only what a shop elsewhere asks can be kept, each answer for the host that asks. */
async function asksToKeep(fields: readonly Field[]): Promise<boolean> {
  const host = fields.find((field) => field.host !== undefined)?.host
  return host !== undefined && (await asksYes(`Keep it for the next purchase at ${host}?`))
}

function questionFor({ label, kind, options, host }: Field): string {
  const words =
    options === undefined ? (kind === 'date' ? ' (as 2027-03-01)' : '') : ` (${options.join(', ')})`
  return `${host ?? 'Prokura'} asks: ${label}${words}: `
}

function typedValue({ kind }: Field, text: string): Value {
  return kind === 'number' && /^-?\d+$/.test(text) ? Number(text) : text
}
