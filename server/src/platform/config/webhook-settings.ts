/** By which Stripe tells what happens at the operator's account. */
export const webhookSettings = {
  PROKURA_STRIPE_ACCOUNT: {
    kind: { type: 'text' },
    default: null,
    description:
      "The id of the operator's account at Stripe (acct_…). It stands in the address of the endpoint for its events, which is /inbound/stripe/acct_….",
  },
  PROKURA_STRIPE_WEBHOOK_SECRET: {
    kind: { type: 'text' },
    default: null,
    secret: true,
    description:
      'The signing secret (whsec_…) of that endpoint. Without it nothing is taken there, and workers ask Stripe every five minutes what has happened.',
  },
} as const
