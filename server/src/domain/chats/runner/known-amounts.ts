import { isObject } from '../../../schema/schema-node.ts'
import type { ChatPart } from '../parts.ts'
import { remembered } from '../planner/memory.ts'

type KnownAmount = { readonly amount: bigint; readonly currency: string }

/** The amounts that objects of a chat have: in answers of operations, also those that the planner remembers, and nowhere else. */
export function knownAmounts(parts: readonly ChatPart[], memory: unknown): KnownAmount[] {
  const known: KnownAmount[] = []
  const { shown, subject } = remembered(memory)
  collect([shown, subject?.product], null, known)
  for (const part of parts)
    if (part.type === 'tool_result' && !part.is_error) collect(part.result, null, known)
  return known
}

const depthMax = 32

/** An amount is of the currency that stands beside it, or that the object has in which it stands. */
function collect(value: unknown, within: string | null, known: KnownAmount[], depth = 0): void {
  if (depth > depthMax) return
  if (Array.isArray(value)) {
    for (const each of value) collect(each, within, known, depth + 1)
    return
  }
  if (!isObject(value)) return
  const currency = currencyOf(value) ?? within
  for (const [name, member] of Object.entries(value)) {
    const isAmount = typeof member === 'number' && Number.isSafeInteger(member) && /(^|_)amount$/.test(name)
    if (isAmount && currency !== null) known.push({ amount: BigInt(member), currency })
    else collect(member, currency, known, depth + 1)
  }
}

function currencyOf(value: Record<string, unknown>): string | null {
  for (const name of ['currency_code', 'currency', 'expected_currency']) {
    const currency = value[name]
    if (typeof currency === 'string') return currency
  }
  return null
}
