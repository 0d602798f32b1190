/**
 * What shops of one language write. Each text has phrases, separated by `|`. They are compared without case, accents and punctuation, whole
 * word by whole word; where one phrase is inside a longer one of another meaning, the longer one counts.
 */
export type ShopWords = {
  readonly language: string
  /** What a button or a link does. */
  readonly actions: Readonly<Record<Intent, string>>
  /** What stands beside an amount in a summary. */
  readonly totals: Readonly<Record<TotalWord, string>>
  /** What a page says about itself, the goods or the payment. */
  readonly states: Readonly<Record<StateWord, string>>
  /** What an input is for. */
  readonly fields: Readonly<Record<WordField | 'other', string>>
  /** How an order can be paid. */
  readonly payments: Readonly<Record<PaymentWord, string>>
  /** How and when goods arrive. */
  readonly deliveries: Readonly<Record<DeliveryWord, string>>
}

export type Intent =
  | 'add_to_cart'
  | 'buy_now'
  | 'view_cart'
  | 'checkout'
  | 'continue'
  | 'as_guest'
  | 'sign_in'
  | 'place_order'
  | 'accept_cookies'
  | 'reject_cookies'
  | 'close'
  | 'decline_offer'
  | 'keep_address'
  | 'apply_code'
  | 'have_code'
  | 'pay_by_card'
  | 'ship_here'
  | 'continue_shopping'
  | 'subscribe'
  | 'remove'
  /** Something else, whose words have those of another intent in them: `continue with PayPal`. */
  | 'other'

export type TotalWord =
  | 'subtotal'
  | 'shipping'
  | 'tax'
  | 'tax_included'
  | 'discount'
  | 'fee'
  | 'total'
  /** An amount that is in no sum: what is saved, the price of one. */
  | 'other'

export type StateWord =
  | 'in_stock'
  | 'sold_out'
  | 'low_stock'
  | 'not_found'
  | 'error'
  | 'payment_declined'
  | 'payment_failed'
  | 'confirmation'
  | 'order_number'
  | 'processing'
  | 'minimum_quantity'
  | 'session_expired'
  | 'empty_cart'
  | 'cart'
  | 'checkout'
  | 'payment'
  | 'review'
  | 'captcha'
  | 'sign_in_needed'
  | 'code_refused'
  | 'added'
  | 'code_taken'
  | 'undeliverable'
  | 'price_changed'
  | 'subscription'
  | 'quantity'

export type PaymentWord =
  | 'method'
  | 'card'
  | 'wallet'
  | 'invoice'
  | 'instalments'
  | 'cash'
  | 'transfer'
  | 'gift_card'

type DeliveryWord =
  | 'method'
  | 'standard'
  | 'express'
  | 'pickup'
  | 'today'
  | 'tomorrow'
  | 'hours'
  | 'days'
  | 'weeks'

const fields = [
  'email',
  'salutation',
  'full_name',
  'first_name',
  'last_name',
  'company',
  'phone',
  'line1',
  'line2',
  'street',
  'house_number',
  'house_addition',
  'postal_code',
  'city',
  'state',
  'country',
  'card_number',
  'card_expiry',
  'card_expiry_month',
  'card_expiry_year',
  'card_code',
  'card_holder',
  'quantity',
  'promo_code',
  'password',
  'one_time_code',
  'newsletter',
  'terms_consent',
  'marketing_consent',
  'save_card',
  'create_account',
  'billing_same',
  'ship_elsewhere',
  'bill_elsewhere',
  'date_of_birth',
  'order_notes',
  'search',
] as const

/** What a control of a page is for, as its words say. */
type WordField = (typeof fields)[number]

/** `dial_code`: what a list offers says it, and no word. */
export type Field = WordField | 'dial_code'
