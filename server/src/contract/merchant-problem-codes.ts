/** The part of the closed list that is about what merchants keep here: items, markets, rate cards, locations, promotions. */
export const merchantProblemCodes = {
  item_not_publishable: { status: 409, retryable: false, message: 'The item lacks what publishing needs.' },
  item_archived: { status: 409, retryable: false, message: 'The item is archived.' },
  handle_in_use: { status: 409, retryable: false, message: 'Another item has this handle or URL.' },
  code_in_use: { status: 409, retryable: false, message: 'Another market has this code.' },
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
    message: 'In its state, this of the promotion can no longer be changed.',
  },
  promotion_state_conflict: {
    status: 409,
    retryable: false,
    message: 'The promotion cannot go there from its state.',
  },
} as const
