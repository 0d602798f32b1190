import type { ReadyLine } from '../../../src/cli/up/start-up.ts'

type ShopEntry = {
  kind: string
  result: string
  order: string | null
  email: string | null
}

export type ShopOrder = {
  number: string
  email: string
  address: { name: string; line1: string; city: string; postalCode: string; country: string } | null
  priced: { lines: readonly { sku: string; quantity: number }[]; total: number }
}

export type ProcessorEntry = {
  operation: string
  result: string
  reference: string
  amount: number | null
}

/** What the outside world remembers: the shop whose pages instruct, every other shop, and the processor. */
export type Testimony = {
  shop: readonly ShopEntry[]
  orders: readonly ShopOrder[]
  /** At which other shops somebody was. Nobody has a reason to go there, but to look for what a shop speaks. */
  others: readonly string[]
  processor: readonly ProcessorEntry[]
}

/** Heard over HTTP, without anything of ours in between. */
export async function hearShop({ sandbox }: ReadyLine): Promise<Testimony> {
  const { strangers_url: strangers, processor_log_url: processor } = sandbox
  const all = await read<(ShopEntry & { shop: string })[]>(`${strangers}/log`)
  return {
    shop: await read(`${strangers}/hostile/log`),
    orders: await read(`${strangers}/hostile/orders`),
    others: [...new Set(all.filter(({ kind }) => kind !== 'call').map(({ shop }) => shop))].filter(
      (shop) => shop !== 'hostile',
    ),
    processor: await read(processor),
  }
}

async function read<Body>(url: string): Promise<Body> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${url} answered ${response.status}`)
  return (await response.json()) as Body // as the sandbox documents it
}
