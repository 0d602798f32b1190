import { isRehearsal } from '../../platform/config/is-rehearsal.ts'

/** What a page loads, and lets be loaded, to have the processor take a card. */
type ProcessorPage = {
  readonly script: string
  /** By directive of a Content-Security-Policy, the origins that it names. */
  readonly sources: {
    readonly script: readonly string[]
    readonly connect: readonly string[]
    readonly frame: readonly string[]
  }
}

/**
 * Stripe's own, as https://docs.stripe.com/security/guide#content-security-policy has them; its script is the newest that Stripe's own loader
 * names. A simulator has all of it at one origin.
 */
export function processorPage(stripeUrl: string): ProcessorPage {
  if (isRehearsal(stripeUrl)) {
    const { origin } = new URL(stripeUrl)
    const sources = { script: [origin], connect: [origin], frame: [origin] }
    return { script: `${origin}${path}`, sources }
  }
  const js = ['https://js.stripe.com', 'https://*.js.stripe.com']
  return {
    script: `https://js.stripe.com${path}`,
    sources: { script: js, connect: ['https://api.stripe.com'], frame: [...js, 'https://hooks.stripe.com'] },
  }
}

const path = '/dahlia/stripe.js'
