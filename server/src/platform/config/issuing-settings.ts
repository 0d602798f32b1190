/** Of what the account at Stripe issues for purchases: cards, and tokens. */
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
  PROKURA_STRIPE_TOKENS: {
    kind: { type: 'choice', choices: ['on', 'off'] },
    default: 'off',
    description:
      'Whether live mode pays sellers elsewhere by shared payment tokens of their buyers’ cards at Stripe: on once Stripe lets your account issue them. `prokura rail check` asks it.',
  },
  PROKURA_STRIPE_TEST_ISSUER_KEY: {
    kind: { type: 'text' },
    default: null,
    secret: true,
    description:
      "A secret key of Stripe's test mode. With it, purchases of test mode pay by shared payment tokens that Stripe's test mode issues, and not the sandbox's simulator.",
  },
} as const
