import type { PurchaseIntent } from '../../domain/buying/intents/intent.ts'
import { asks } from './ask.ts'
import type { ProductApi } from './product-api.ts'
import { askedFields, type Field } from './say-next.ts'

type Value = string | number

/** Whether a purchase waits to be told what a command can tell. */
export function waitsToBeTold({ next_action: action }: PurchaseIntent): boolean {
  return askedFields(action).some(({ kind }) => kind !== 'address' && kind !== 'code')
}

/** Sends a value for each field that the purchase asks for: as given (`NAME=VALUE`), and the person is asked for the rest. */
export async function answerInput(
  api: ProductApi,
  purchase: PurchaseIntent,
  { given, mayAsk }: { given: ReadonlyMap<string, string>; mayAsk: boolean },
): Promise<PurchaseIntent> {
  const { id, next_action: action } = purchase
  const values: Record<string, Value> = {}
  for (const field of askedFields(action)) {
    const text = given.get(field.name) ?? (mayAsk ? await asks(questionFor(field)) : undefined)
    // The service says which of its fields are missing, and why a value does not fit.
    if (text !== undefined) values[field.name] = typedValue(field, text)
  }
  for (const [name, text] of given) values[name] ??= text
  const cart = action?.cart_id === undefined ? {} : { cart_id: action.cart_id }
  return api.post(`/v1/purchase_intents/${id}/input`, { ...cart, values })
}

function questionFor({ label, kind, options, host }: Field): string {
  const words =
    options === undefined ? (kind === 'date' ? ' (as 2027-03-01)' : '') : ` (${options.join(', ')})`
  return `${host ?? 'Prokura'} asks: ${label}${words}: `
}

function typedValue({ kind }: Field, text: string): Value {
  return kind === 'number' && /^-?\d+$/.test(text) ? Number(text) : text
}
