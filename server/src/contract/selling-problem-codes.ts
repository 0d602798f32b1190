/** Codes of orders, quotes, destinations, catalog, markets, rates, promotions and the merchant record: what selling refuses. */
export const sellingProblemCodes = {
  order_not_awaiting: {
    status: 409,
    retryable: false,
    message: 'The order no longer awaits this. Read the order to see its status.',
  },
  order_not_cancellable: {
    status: 409,
    retryable: false,
    message:
      'The order can no longer be cancelled: it does not await its merchant any more. Read the order to see its status.',
  },
  reprice_above_authorization: {
    status: 409,
    retryable: false,
    message:
      'The new total is above what the buyer authorized (`authorized_amount`). Send a lower price, or reject the order so that it can be bought again.',
  },
  order_not_fulfillable: {
    status: 409,
    retryable: false,
    message:
      'The order cannot be fulfilled like this: it must be confirmed, paid and not completed, and no unit is sent twice.',
  },
  order_not_refundable: {
    status: 409,
    retryable: false,
    message: 'There is nothing to refund: the payment was not captured, or the return is not open.',
  },
  refund_exceeds_captured: {
    status: 409,
    retryable: false,
    message:
      'Together with the other refunds, those in progress too, this is more than was captured. Refund at most what is left.',
  },
  order_not_returnable: {
    status: 409,
    retryable: false,
    message:
      'Nothing can be returned like this: the order must be confirmed and paid, and no unit is returned twice.',
  },
  return_not_open: {
    status: 409,
    retryable: false,
    message: 'The return was refunded or declined already, or a refund for it is in progress.',
  },
  confirmation_reference_in_use: {
    status: 409,
    retryable: false,
    message: 'Another order of this merchant has this confirmation reference. Send another one.',
  },
  response_conflict: {
    status: 409,
    retryable: false,
    message: 'Another answer to this event was accepted already. Read the order or the quote to see it.',
  },
  responder_conflict: {
    status: 409,
    retryable: false,
    message:
      'Another destination is the designated quote responder. Set its `responds_to_quotes` to false first.',
  },
  destination_archived: {
    status: 409,
    retryable: false,
    message: 'The destination is archived. Create another one.',
  },
  destination_disabled: {
    status: 409,
    retryable: false,
    message: 'The destination is disabled. Enable it first.',
  },
  rotation_in_progress: {
    status: 409,
    retryable: true,
    message: 'Two secrets are valid already. Wait until the older one expires (`previous_expires_at`).',
  },
  test_mode_required: {
    status: 409,
    retryable: false,
    message: 'Integration checks run in test mode. Use a test key.',
  },
  check_already_running: {
    status: 409,
    retryable: true,
    message: 'A check of this kind is running for this destination. Read it until it has finished.',
  },
  delivery_not_redeliverable: {
    status: 409,
    retryable: true,
    message: 'The delivery is still being attempted. Wait until it has succeeded or failed.',
  },
  responder_not_configured: {
    status: 409,
    retryable: false,
    message:
      'The merchant has no enabled destination that answers quotes and has confirmed its endpoint. It needs one with `responds_to_quotes: true` that answered `destination.test` with a 2xx.',
  },
  quote_expired: {
    status: 409,
    retryable: false,
    message:
      'The quote no longer waits for this: its time is over, it was refreshed, or it was cancelled. Its buyer can refresh it for a new price.',
  },
  quote_not_refreshable: {
    status: 409,
    retryable: false,
    message:
      'The quote cannot be refreshed in its status. A pending one waits for the merchant; an ordered or cancelled one has ended; one that requires input needs `inputs`.',
  },
  quote_not_acceptable: {
    status: 409,
    retryable: false,
    message:
      'The quote has no offer that can be accepted now. Refresh it with v1_refresh_quote, or request another.',
  },
  quote_not_cancellable: {
    status: 409,
    retryable: false,
    message:
      'The quote can no longer be cancelled. Only one that is pending, quoted or requires input can be.',
  },
  item_not_publishable: { status: 409, retryable: false, message: 'The item lacks what publishing needs.' },
  item_archived: { status: 409, retryable: false, message: 'The item is archived. Create another one.' },
  handle_in_use: {
    status: 409,
    retryable: false,
    message: 'Another item has this handle or URL. Send another one, or archive that item.',
  },
  code_in_use: { status: 409, retryable: false, message: 'Another market has this code. Send another one.' },
  market_overlap: {
    status: 409,
    retryable: false,
    message:
      'Another market includes the same region at the same priority, or is the fallback already. Change priority or regions.',
  },
  market_archived: { status: 409, retryable: false, message: 'The market is archived. Use another one.' },
  rate_card_archived: {
    status: 409,
    retryable: false,
    message: 'The rate card is archived. Create another one.',
  },
  location_archived: {
    status: 409,
    retryable: false,
    message: 'The business location is archived. Use another one.',
  },
  field_owned_by_provider: {
    status: 409,
    retryable: false,
    message: 'A connected provider owns this field. Change it there, or disconnect the provider first.',
  },
  promotion_not_publishable: {
    status: 409,
    retryable: false,
    message: 'The promotion lacks what publishing needs.',
  },
  promotion_not_editable: {
    status: 409,
    retryable: false,
    message: 'This field of the promotion can no longer be changed in its status.',
  },
  promotion_state_conflict: {
    status: 409,
    retryable: false,
    message: 'The promotion cannot go from its status to that one.',
  },
  slug_in_use: {
    status: 409,
    retryable: false,
    message: 'Another merchant has this slug. Send another one.',
  },
  domain_in_use: {
    status: 409,
    retryable: false,
    message: 'Another merchant has this domain. Send the domain of your own shop.',
  },
  domain_taken: {
    status: 409,
    retryable: false,
    message: 'Another account holds this test domain, or it is reserved. Use another name.',
  },
  domain_missing: {
    status: 409,
    retryable: false,
    message: 'The merchant has no domain. Set `domain` with v1_update_merchant first.',
  },
  merchant_changed: {
    status: 409,
    retryable: false,
    message:
      'The merchant has changed since: its account, domain, category, country or verification is different now. Request a new quote, or create a new purchase intent.',
  },
  merchant_setup_incomplete: {
    status: 409,
    retryable: false,
    message: 'The merchant has not finished its setup. If it is yours, v1_get_merchant says what is missing.',
  },
} as const satisfies Record<string, { status: number; retryable: boolean; message: string }>
