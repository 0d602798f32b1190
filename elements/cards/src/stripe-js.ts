/** The part of Stripe.js that this page uses, as https://docs.stripe.com/js has it. */
export type StripeJs = {
  elements(options: {
    readonly clientSecret: string
    readonly locale: string
    readonly appearance: {
      readonly theme: 'stripe' | 'night'
      readonly variables: Readonly<Record<string, string>>
    }
  }): Elements
  confirmSetup(options: {
    readonly elements: Elements
    readonly confirmParams: { readonly return_url: string }
    readonly redirect: 'if_required'
  }): Promise<Confirmed>
}

type Elements = {
  create(type: 'payment', options: object): PaymentElement
  /** Checks what was entered, and marks what is wrong. */
  submit(): Promise<{ readonly error?: StripeError }>
}

type PaymentElement = {
  mount(element: HTMLElement): void
  on(event: 'ready' | 'loaderror', heard: () => void): void
  on(event: 'change', heard: (change: { readonly complete: boolean }) => void): void
}

type Confirmed = {
  readonly error?: StripeError & { readonly setup_intent?: { readonly status: string } }
  readonly setupIntent?: { readonly status: string }
}

type StripeError = { readonly type: string; readonly message?: string }

/** Resolves once the script of the processor is there, which comes from the processor alone: it may be neither copied nor bundled. */
export function loadStripeJs(url: string, publishableKey: string): Promise<StripeJs> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = url
    script.addEventListener('error', () => reject(new Error(`${url} does not load`)))
    script.addEventListener('load', () => {
      const { Stripe } = globalThis as { Stripe?: (key: string) => StripeJs } // the global that the script makes
      if (Stripe === undefined) reject(new Error(`${url} makes no Stripe`))
      else resolve(Stripe(publishableKey))
    })
    document.head.append(script)
  })
}
