/** A payment handler as a business lists it, in its profile or in a checkout. */
type Listed = {
  readonly name: string
  readonly id: string
  readonly config: Readonly<Record<string, unknown>>
}

/** How a business is paid: by which of its handlers, and as whom in the network of shared payment tokens; null: our own rail pays it. */
type Paying = { readonly handlerId: string; readonly seller: string | null }

/** A handler by which we can pay. */
export type PayingHandler = {
  readonly name: string
  /** As whom its business is paid; undefined: it does not say, so nothing can be issued for it. */
  sellerOf(config: Listed['config']): string | null | undefined
}

/** The payment network of test mode: the credential of our rail is itself what pays. */
export const processorHandler: PayingHandler = {
  name: 'test.pay.processor_token',
  sellerOf: () => null,
}

/** A shared payment token, which Stripe has issued for the profile that the business names. */
export const stripeHandler: PayingHandler = {
  name: 'com.stripe.payments',
  sellerOf({ network_id: id }) {
    return typeof id === 'string' && /^[\w-]{1,255}$/.test(id) ? id : undefined
  },
}

/**
 * The first of our ways that the business has. What a checkout lists is decisive; the older releases list handlers in the profile alone, and
 * a checkout may leave out what stands there.
 */
export function payingOf(
  ways: readonly PayingHandler[],
  { ofCheckout, ofProfile }: { ofCheckout: readonly Listed[]; ofProfile: readonly Listed[] },
): Paying | null {
  const offered = ofCheckout.length > 0 ? ofCheckout : ofProfile
  for (const { name, sellerOf } of ways)
    for (const { id: handlerId, config } of offered.filter((one) => one.name === name)) {
      const known = ofProfile.find((one) => one.name === name && one.id === handlerId)
      const seller = sellerOf({ ...known?.config, ...config })
      if (seller !== undefined) return { handlerId, seller }
    }
  return null
}
