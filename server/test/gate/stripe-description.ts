import { join } from 'node:path'

/** The file by which simulators of Stripe judge what they are asked and what they answer, where `STRIPE_DESCRIPTION` names it. */
export const stripeDescription = join(import.meta.dirname, '../../../sandbox/test/stripe/description.json')
