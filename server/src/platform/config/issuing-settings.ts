/** Of an Issuing program at Stripe. */
export const issuingSettings = {
  PROKURA_STRIPE_CARDHOLDER: {
    kind: { type: 'text' },
    default: null,
    description:
      'The cardholder of your Issuing program at Stripe (ich_…), in whose name live mode issues cards. Without it, live mode issues none.',
  },
} as const
