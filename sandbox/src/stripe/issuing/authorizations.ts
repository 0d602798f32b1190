import type { Stripe } from 'stripe'
import { noSuch } from '../stripe-error.ts'
import { type Asked, type Operations, page, seconds } from '../work.ts'
import { knownCard, renderCard } from './cards.ts'
import type { CardAuthorization } from './memory.ts'
import { renderMerchant } from './merchants.ts'
import { renderTransaction } from './transaction-object.ts'

const authorizations = '/v1/issuing/authorizations'

export const authorizationOperations: Operations = [
  {
    method: 'GET',
    path: authorizations,
    operation: 'list_authorizations',
    work(asked) {
      const { form, memory } = asked
      const [card, status] = [form.text('card'), form.oneOf('status', ['pending', 'closed', 'reversed'])]
      const all = [...memory.issuing.authorizations.values()].filter(
        (one) => (card === null || one.card === card) && (status === null || one.status === status),
      )
      return { body: page(asked, all, (one) => renderAuthorization(one, asked)) }
    },
  },
  {
    method: 'GET',
    path: `${authorizations}/:id`,
    operation: 'read_authorization',
    work(asked) {
      const found = asked.memory.issuing.authorizations.get(asked.call.params.id ?? '')
      if (found === undefined) throw noSuch('issuing authorization', 'id', 404)
      return { body: renderAuthorization(found, asked) }
    },
  },
]

export function renderAuthorization(
  authorization: CardAuthorization,
  asked: Pick<Asked, 'memory' | 'account'>,
): Stripe.Issuing.Authorization {
  const { id, currency, amount, merchant } = authorization
  const card = knownCard(asked.memory, authorization.card)
  const ofMerchant = (value: number) => ({ merchant_amount: value, merchant_currency: currency })
  return {
    id,
    object: 'issuing.authorization',
    amount,
    amount_details: null,
    approved: authorization.approved,
    authorization_method: 'online',
    balance_transactions: [],
    card: renderCard(card, asked),
    card_presence: 'not_present',
    cardholder: card.cardholder,
    created: seconds(authorization.created_ms),
    currency,
    fleet: null,
    fuel: null,
    livemode: asked.account.isLive,
    ...ofMerchant(amount),
    merchant_data: renderMerchant(merchant),
    metadata: authorization.metadata,
    network_data: null,
    pending_request:
      authorization.asked === null
        ? null
        : {
            amount: authorization.asked,
            amount_details: null,
            currency,
            is_amount_controllable: false,
            ...ofMerchant(authorization.asked),
            network_risk_score: null,
          },
    request_history: authorization.history.map((one) => ({
      amount: one.amount,
      amount_details: null,
      approved: one.approved,
      authorization_code: null,
      created: seconds(one.created_ms),
      currency,
      ...ofMerchant(one.amount),
      network_risk_score: null,
      reason: one.reason,
      reason_message: null,
      requested_at: seconds(one.created_ms),
    })),
    status: authorization.status,
    transactions: [...asked.memory.issuing.transactions.values()]
      .filter((one) => one.authorization === id)
      .map((one) => renderTransaction(one, asked)),
    verification_data: {
      address_line1_check: 'not_provided',
      address_postal_code_check: 'not_provided',
      authentication_exemption: null,
      cvc_check: 'match',
      expiry_check: 'match',
      postal_code: null,
      three_d_secure: null,
    },
    verified_by_fraud_challenge: null,
    wallet: null,
  }
}
