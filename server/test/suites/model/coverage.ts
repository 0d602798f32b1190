import { cartMachine, firstStatus, intentMachine } from '../../../src/domain/buying/intents/machine.ts'
import { orderTable, paymentTable } from '../../../src/domain/trade/orders/machine.ts'

/** The rows of the published state tables that a run has gone through, and the commands that were refused in each state. */
export type Coverage = {
  readonly seen: Map<string, number>
  moved(table: TableName, from: string, trigger: string): void
  refused(table: TableName, state: string, command: string): void
}

type TableName = 'intent' | 'cart' | 'order' | 'payment'

const tables: Readonly<Record<TableName, Readonly<Record<string, Readonly<Record<string, string>>>>>> = {
  intent: intentMachine,
  cart: cartMachine,
  order: orderTable,
  payment: paymentTable,
}

/** The commands of callers on an object, and the trigger of its table for each. */
const commands: Readonly<Partial<Record<TableName, Readonly<Record<string, string>>>>> = {
  intent: { approve: 'approve', refuse: 'refuse', cancel: 'cancel', retry: 'retry' },
  cart: { cancel: 'cancel', retry: 'retry', reconcile: 'reconciled_placed' },
  order: { confirm: 'confirm', reject: 'reject', cancel: 'cancel' },
}

/**
 * Rows that the product cannot reach yet: sign-in tickets are minted by a component that does not exist, and no operation of a
 * merchant fulfills an order. The suite also fails when one of these rows is reached, since it then belongs here no more.
 */
const outOfReach = [
  /^intent merchant_auth_failed\b/,
  /^intent awaiting_merchant_auth (sign_in_refused|ticket_redeemed)$/,
  /^cart awaiting_merchant_auth signed_in$/,
  /^order confirmed fulfill$/,
  /^order fulfilling\b/,
  /^order completed\b/,
  // The last sign-in that ends while nothing else runs ends the purchase by failing or by a cancel of the whole.
  /^intent awaiting_merchant_auth carts_cancelled$/,
]

export function createCoverage(): Coverage {
  const seen = new Map<string, number>()
  const count = (row: string) => void seen.set(row, (seen.get(row) ?? 0) + 1)
  return {
    seen,
    moved: (table, from, trigger) => count(`${table} ${from} ${trigger}`),
    refused: (table, state, command) => count(`${table} ${state} refuses ${command}`),
  }
}

/** Every row that runs must go through: the moves of the tables, and for each state the commands that are refused there. */
export function expectedRows(): string[] {
  const rows = Object.keys(firstStatus).map((why) => `intent – ${why}`)
  for (const [table, states] of Object.entries(tables)) {
    const asked = Object.entries(commands[table as TableName] ?? {}) // the keys of a closed record
    for (const [state, moves] of Object.entries(states)) {
      for (const trigger of Object.keys(moves)) rows.push(`${table} ${state} ${trigger}`)
      for (const [command, trigger] of asked) {
        if (!(trigger in moves)) rows.push(`${table} ${state} refuses ${command}`)
      }
    }
  }
  return rows
}

export function isOutOfReach(row: string): boolean {
  return outOfReach.some((pattern) => pattern.test(row))
}
