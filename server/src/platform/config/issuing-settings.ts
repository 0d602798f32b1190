/** Of an Issuing program at Stripe. */
export const issuingSettings = {
  PROKURA_STRIPE_CARDHOLDER: {
    kind: { type: 'text' },
    default: null,
    description:
      'The cardholder of your Issuing program at Stripe (ich_…), in whose name live mode issues cards. Without it, live mode issues none.',
  },
  PROKURA_STRIPE_AUTHORIZATIONS_SECRET: {
    kind: { type: 'text' },
    default: null,
    secret: true,
    description:
      'The signing secret (whsec_…) of the endpoint for real-time authorizations of your Issuing program, which is /inbound/stripe/authorizations. ' +
      'Without it, nobody is answered there in live mode.',
  },
} as const
