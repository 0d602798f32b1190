import { queryStored } from './query-stored.ts'

/** What is stored of checkouts over UCP, of their sales, and of the purchases whose tokens pay for them. */
export type SalesFacts = {
  checkouts: readonly { id: string; state: string; order: string | null }[]
  sales: readonly SaleFacts[]
  tokens: readonly TokenFacts[]
}

export type SaleFacts = {
  order: string
  state: string
  amount: number
  /** Of its order, once that was placed. */
  status: string | null
  payment_status: string | null
  total_amount: number | null
}

export type TokenFacts = {
  id: string
  /** The order that it pays for, if it was used. */
  order: string | null
  amount: number
  intent: string
  cart: string
  status: string
  actual_amount: number
  max_allowed_amount: number
  /** Of each policy that allowed the purchase. */
  reservations: readonly { state: string; actual_amount: number | null }[]
}

export async function readSales(url: string): Promise<SalesFacts> {
  return {
    checkouts: await queryStored(url, 'select id, state, order_id as "order" from checkouts order by id'),
    sales: await queryStored(
      url,
      `select s.order_id as "order", s.state, s.amount::float as amount, o.status, o.payment_status, o.total_amount::float as total_amount
       from sales s left join orders o on o.account_id = s.account_id and o.mode = s.mode and o.id = s.order_id order by s.id`,
    ),
    tokens: await queryStored(
      url,
      `select t.id, t.order_id as "order", t.amount::float as amount, t.intent_id as intent, t.cart_id as cart, i.status,
         i.actual_amount::float as actual_amount, i.max_allowed_amount::float as max_allowed_amount,
         coalesce((select json_agg(json_build_object('state', r.state, 'actual_amount', r.actual_amount)) from policy_reservations r
           where r.account_id = t.account_id and r.mode = t.mode and r.intent_id = t.intent_id), '[]') as reservations
       from payment_tokens t
       join purchase_intents i on i.account_id = t.account_id and i.mode = t.mode and i.id = t.intent_id order by t.id`,
    ),
  }
}
