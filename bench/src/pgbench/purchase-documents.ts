import { packText } from '../../../server/src/platform/events/packed-text.ts'

/** As two events show it: it stands once, as it is stored. */
const object = `{"id":"pi_01jb2w9m4ye6xs3kq8t7v5c0zd","object":"purchase_intent","mode":"test","created_at":"2030-01-01T00:00:00.000Z","updated_at":"2030-01-01T00:00:00.000Z","profile_id":"prof_01jb2w9m4ye6xs3kq8t7v5c0zd","profile_payment_method_id":"pm_01jb2w9m4ye6xs3kq8t7v5c0zd","policy_id":null,"status":"awaiting_approval","currency_code":"USD","expected_amount":2500,"max_allowed_amount":3825,"actual_amount":0,"items":[{"id":"item_01jb2w9m4ye6xs3kq8t7v5c0zd","url":"https://sandbox-merchant.example/items/ok","quantity":1,"expected_amount":2500,"expected_currency":"USD","variant":null,"quote_id":null}],"carts":[],"preferences":{"fulfillment":{"method":"ship","speed":"cheapest","address_id":"addr_01jb2w9m4ye6xs3kq8t7v5c0zd","max_fee_amount":800}},"next_action":{"type":"approve","element":null,"expires_at":"2031-01-01T00:00:00.000Z"},"failure_reason":null,"policy_decision":{"result":"require_approval","evaluated":[]},"approval":{"required":true,"approved_by":null,"approved_at":null,"expires_at":"2031-01-01T00:00:00.000Z"},"offer_summary":null,"partial":false,"cancel_reason":null,"reference_id":"bench","metadata":{"order":"bench"},"started_at":null,"completed_at":null}`

/** The JSON of a new purchase, as large as the real one, for `one-statement.sql`. */
export const purchaseDocuments: Readonly<Record<string, string>> = {
  items: `[{"id":"item_01jb2w9m4ye6xs3kq8t7v5c0zd","url":"https://sandbox-merchant.example/items/ok","quantity":1,"unit_amount":2500,"variant":null,"quote_id":null,"domain":"sandbox-merchant.example","mcc":"5999","country":"US"}]`,
  fulfillment: `{"method":"ship","speed":"cheapest","address_id":"addr_01jb2w9m4ye6xs3kq8t7v5c0zd","max_fee_amount":800,"address":{"id":"addr_01jb2w9m4ye6xs3kq8t7v5c0zd","address_type":"both","line1":"1 Analytical Way","city":"Portland","state":"OR","postal_code":"97201","country":"US","is_default":true},"country":"US"}`,
  decision: `{"result":"require_approval","evaluated":[]}`,
  action: `{"type":"approve","element":null,"expires_at":"2031-01-01T00:00:00.000Z"}`,
  metadata: `{"order":"bench"}`,
  object: `\\x${packText(object).toString('hex')}`,
}
