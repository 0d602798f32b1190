import { createBootstraps } from './bootstraps.ts'
import { checkGiven } from './components.ts'
import { createMountedElement } from './mounted-element.ts'

/** Where components live: the elements origin of a Prokura, `PROKURA_ELEMENTS_URL` in its settings. */
export type ProkuraOptions = { url?: string }

export type Theme = 'light' | 'dark' | 'flat' | 'auto'

/** What may be chosen of a component's look; the package's README says which values. */
export type AppearanceVariable =
  | 'colorPrimary'
  | 'colorBackground'
  | 'colorText'
  | 'colorTextSecondary'
  | 'colorBorder'
  | 'colorDanger'
  | 'colorSuccess'
  | 'fontFamily'
  | 'fontSize'
  | 'fontWeightMedium'
  | 'borderRadius'
  | 'spacing'

export type AppearanceSelector =
  | '.Input'
  | '.Input:focus'
  | '.Input--invalid'
  | '.Label'
  | '.Error'
  | '.Button'
  | '.Button:hover'
  | '.TestCard'

export type AppearanceProperty =
  | 'color'
  | 'backgroundColor'
  | 'borderColor'
  | 'borderWidth'
  | 'borderRadius'
  | 'fontWeight'
  | 'letterSpacing'
  | 'padding'

/** Unknown keys and values that are not taken are dropped; in test mode the frame's console names them. */
export type Appearance = {
  theme?: Theme
  variables?: { [Name in AppearanceVariable]?: string }
  rules?: { [Selector in AppearanceSelector]?: { [Property in AppearanceProperty]?: string } }
}

export type Locale = 'en' | 'de' | 'fr' | 'es' | 'it' | 'nl' | 'pt' | 'ja'

type SharedOptions = {
  appearance?: Appearance
  /** A language as browsers name it (`de-AT`). Without one, or with one that there are no texts for: the browser's, else English. */
  locale?: Locale | (string & {})
  /** From `POST /v1/elements/client_secrets`, for keys that ask for it. */
  clientSecret?: string
}

export type AddPaymentMethodOptions = SharedOptions & {
  /** The profile that the card is added to. */
  profileId: string
  /** What the person is asked to let agents spend with the card; it needs `clientSecret`. */
  budget?: StandingBudget
  /** Whether the person is asked for the billing address of the card (`never`), which becomes an address of the profile; `full` needs `clientSecret`. */
  billingAddress?: 'never' | 'full'
}

/** A whole number of minor units (5000 is €50.00), and for how long and how often it may be spent. */
export type StandingBudget = {
  amount: number
  currency: string
  interval: 'day' | 'week' | 'month' | 'year' | 'all_time'
  /** RFC 3339; null or left out: until it is archived. */
  expires_at?: string | null
}

/** Whether a card is charged with its credentials for agents: if possible, only so, or not. */
export type AgenticCredentialsPreference = 'prefer' | 'require' | 'never'

export type AddOrSelectPaymentMethodOptions = SharedOptions & {
  preference?: AgenticCredentialsPreference
} & (
    | {
        /** The profile whose cards are shown. */
        profileId: string
        purchaseIntentId?: undefined
      }
    | {
        /** The purchase that waits for its person: what is bought is shown with it, and its card is proven. */
        purchaseIntentId: string
        profileId?: undefined
      }
  )

export type MerchantAuthHandoffOptions = SharedOptions & {
  /** The purchase whose shop asks for a sign-in. */
  purchaseIntentId: string
  /** Leaves the purchase where it is: your server redeems the ticket with its retry call. */
  deferRetry?: boolean
}

/** Every component, with what it takes. */
export type ComponentOptions = {
  AddPaymentMethod: AddPaymentMethodOptions
  AddOrSelectPaymentMethod: AddOrSelectPaymentMethodOptions
  MerchantAuthHandoff: MerchantAuthHandoffOptions
}

export type ComponentName = keyof ComponentOptions

/** A card as `GET /v1/profiles/{profile_id}/payment_methods` shows it. */
export type PaymentMethod = {
  id: string
  object: 'payment_method'
  mode: 'test' | 'live'
  profile_id: string
  type: 'card'
  is_default: boolean
  label: string | null
  card: {
    card_brand: string
    card_last4: string
    card_exp_month: number
    card_exp_year: number
    agentic_credentials_status: string
  }
  next_action: { type: string; method: string } | null
}

export type ProkuraErrorCode =
  /** There is no element in the page to mount on. */
  | 'element_not_found'
  /** The elements origin does not answer. */
  | 'unreachable'
  /** The browser does not show the frame. */
  | 'frame_blocked'
  /** The frame is there, and does not get ready. */
  | 'timeout'
  /** The frame answers no longer. */
  | 'frame_gone'
  /** The page took the frame away without `unmount()`. */
  | 'closed'
  /** The page is not among the origins that the key was made for. */
  | 'origin_not_allowed'

/** What your server's approval of the purchase takes, field by field. */
export type Authorization = {
  profile_payment_method_id: string
  /** The security code, for one use within minutes; null where the card does not need it. */
  temporary_cvc_token_id: string | null
  agentic_credentials_preference: AgenticCredentialsPreference | null
  /** What the person has proven; null where nothing was asked. */
  payment_verification: { method: string; assertion: string } | null
}

/** What each component comes to, once. */
export type ComponentResults = {
  /** The card is added, and its enrollment has ended or was put off. */
  /** `policy` stands there where a budget was asked for: null is none, because the person did not want it or an `error` said why. */
  AddPaymentMethod: { payment_method: PaymentMethod; policy?: { id: string; object: 'policy' } | null }
  /** What `authorize()` resolves with too. */
  AddOrSelectPaymentMethod: Authorization
  /** The sign-in is on its way to the shop, or its ticket is made for your server. */
  MerchantAuthHandoff: { credential_ticket_id: string; status: 'submitted' | 'minted' }
}

export type ProkuraEvents<Component extends ComponentName = 'AddPaymentMethod'> = {
  /** The form can be used. */
  ready: undefined
  /** What is typed has become complete, or no longer is; or it is another brand. */
  change: { complete: boolean; brand: string | null }
  complete: ComponentResults[Component]
  /** What went wrong, in a sentence for developers: a person reads it in the component. Further codes are those of the API. */
  error: { code: ProkuraErrorCode | (string & {}); message: string }
}

export type ProkuraHandler<
  Name extends keyof ProkuraEvents,
  Component extends ComponentName = 'AddPaymentMethod',
> = (event: ProkuraEvents<Component>[Name]) => void

export type ProkuraElement<Component extends ComponentName = 'AddPaymentMethod'> = {
  /** Shows the component inside an element of the page, or the first that a selector finds. On a server it does nothing. */
  mount(target: Element | string): void
  /** Takes it away. It may be mounted again. */
  unmount(): void
  /** Changes the look or the language in place: nothing that was typed is lost. */
  update(change: { appearance?: Appearance; locale?: string }): void
  on<Name extends keyof ProkuraEvents>(event: Name, handler: ProkuraHandler<Name, Component>): void
  off<Name extends keyof ProkuraEvents>(event: Name, handler: ProkuraHandler<Name, Component>): void
}

/** Why `authorize()` came to nothing. Further codes are those of the API. */
export type AuthorizeErrorCode =
  /** Something is missing or wrong: it is marked, and has the focus. */
  | 'incomplete'
  /** It was called before `ready`, or while nothing is mounted. */
  | 'not_ready'
  /** The component was taken away meanwhile. */
  | 'closed'
  /** The frame answers no longer, or was loaded again. */
  | 'frame_gone'
  /** The person did not want to go on. */
  | 'cancelled'
  /** The code of the bank was wrong, or it was not confirmed in the window. */
  | 'verification_failed'
  /** The window was opened, and nothing came of it in time. */
  | 'verification_expired'
  /** The browser has blocked the window, and nobody has used the link in its place. */
  | 'window_blocked'
  /** A call of the frame got no answer. */
  | 'offline'

export type AuthorizeError = Error & { code: AuthorizeErrorCode | (string & {}) }

/** A component that goes on when the page's own button is pressed. */
export type AuthorizableElement = ProkuraElement<'AddOrSelectPaymentMethod'> & {
  /**
   * Call it in the handler of the click, so that the browser lets it open a window. It is settled once: with what your server approves the
   * purchase with, or with an `AuthorizeError`. While one is under way, a second call gets the same promise.
   */
  authorize(): Promise<Authorization>
}

type Elements = {
  AddPaymentMethod: ProkuraElement
  AddOrSelectPaymentMethod: AuthorizableElement
  MerchantAuthHandoff: ProkuraElement<'MerchantAuthHandoff'>
}

/** Components that take what the page must not see. Made with a publishable key, anywhere, also where there is no `window`. */
export class Prokura {
  readonly #settings: {
    publishableKey: string
    origin: string
    bootstraps: ReturnType<typeof createBootstraps>
  }

  constructor(publishableKey: string, options: ProkuraOptions = {}) {
    const { url } = options
    if (typeof publishableKey !== 'string' || !publishableKey.startsWith('pr_pk_'))
      throw new TypeError(
        'new Prokura() takes a publishable key (pr_pk_…). A secret key must never be in a page.',
      )
    if (url === undefined || !URL.canParse(url))
      throw new TypeError('new Prokura(key, { url }) takes the address of the elements origin as url.')
    const { origin } = new URL(url)
    this.#settings = { publishableKey, origin, bootstraps: createBootstraps(publishableKey, origin) }
  }

  create<Component extends ComponentName>(
    component: Component,
    options: ComponentOptions[Component],
  ): Elements[Component] {
    checkGiven(component, options)
    return createMountedElement({ ...this.#settings, component }, options) as unknown as Elements[Component] // the frame answers for its form
  }
}
