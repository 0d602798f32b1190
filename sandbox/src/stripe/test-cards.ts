/** What an issuer says of a payment: nothing against it, or why not. */
type Verdict = 'approved' | Decline

export type Decline = { readonly code: string; readonly decline_code?: string }

/**
 * When the holder of a card must confirm a payment: never; each time; each time but where the card was set up for payments without them; or
 * only where they are there.
 */
type Authentication = 'never' | 'always' | 'unless_set_up' | 'on_session'

export type TestCard = {
  readonly brand: 'visa' | 'mastercard' | 'amex'
  readonly last4: string
  readonly authentication: Authentication
  /** When it is kept for a customer. */
  readonly onAttach: Verdict
  readonly onCharge: Verdict
}

const declined = (decline_code: string): Decline => ({ code: 'card_declined', decline_code })

function card(last4: string, more: Partial<TestCard> = {}): TestCard {
  return {
    brand: 'visa',
    last4,
    authentication: 'never',
    onAttach: 'approved',
    onCharge: 'approved',
    ...more,
  }
}

function refused(last4: string, verdict: Decline): TestCard {
  return card(last4, { onAttach: verdict, onCharge: verdict })
}

/** The test payment methods of Stripe that the simulator knows, as its documentation of testing has them. */
export const testCards: Readonly<Record<string, TestCard>> = {
  pm_card_visa: card('4242'),
  pm_card_visa_debit: card('5556'),
  pm_card_mastercard: card('4444', { brand: 'mastercard' }),
  pm_card_amex: card('8431', { brand: 'amex' }),
  pm_card_visa_chargeDeclined: refused('0002', declined('generic_decline')),
  pm_card_visa_chargeDeclinedInsufficientFunds: refused('9995', declined('insufficient_funds')),
  pm_card_visa_chargeDeclinedLostCard: refused('9987', declined('lost_card')),
  pm_card_visa_chargeDeclinedStolenCard: refused('9979', declined('stolen_card')),
  pm_card_chargeDeclinedExpiredCard: refused('0069', { code: 'expired_card' }),
  pm_card_chargeDeclinedIncorrectCvc: refused('0127', { code: 'incorrect_cvc' }),
  pm_card_chargeDeclinedProcessingError: refused('0119', { code: 'processing_error' }),
  // It can be kept, and pays nothing.
  pm_card_chargeCustomerFail: card('0341', { onCharge: declined('generic_decline') }),
  pm_card_authenticationRequired: card('3184', { authentication: 'always' }),
  pm_card_authenticationRequiredOnSetup: card('3155', { authentication: 'unless_set_up' }),
  pm_card_authenticationRequiredSetupForOffSession: card('0446', { authentication: 'on_session' }),
  pm_card_authenticationRequiredChargeDeclinedInsufficientFunds: card('3178', {
    authentication: 'always',
    onCharge: declined('insufficient_funds'),
  }),
}

type Paying = { readonly isOffSession: boolean; readonly isSetUp: boolean; readonly isAuthenticated: boolean }

/** What becomes of a payment; `acting`: its holder must confirm it first. */
export function outcomeOf(
  { authentication, onCharge }: TestCard,
  paying: Paying,
): 'approved' | 'acting' | Decline {
  if (!paying.isAuthenticated && mustConfirm(authentication, paying))
    return paying.isOffSession ? needsItsHolder : 'acting'
  return onCharge
}

/** Nobody is there to confirm it. */
const needsItsHolder: Decline = {
  code: 'authentication_required',
  decline_code: 'authentication_required',
}

function mustConfirm(authentication: Authentication, { isOffSession, isSetUp }: Paying): boolean {
  switch (authentication) {
    case 'never':
      return false
    case 'always':
      return true
    case 'unless_set_up':
      return !(isSetUp && isOffSession)
    case 'on_session':
      return !isOffSession
    default:
      return authentication satisfies never
  }
}

/** The numbers of the same cards, by which people enter them: https://docs.stripe.com/testing. */
export const testCardNumbers: Readonly<Record<string, string>> = {
  '4242424242424242': 'pm_card_visa',
  '4000056655665556': 'pm_card_visa_debit',
  '5555555555554444': 'pm_card_mastercard',
  '371449635398431': 'pm_card_amex',
  '4000000000000002': 'pm_card_visa_chargeDeclined',
  '4000000000009995': 'pm_card_visa_chargeDeclinedInsufficientFunds',
  '4000000000009987': 'pm_card_visa_chargeDeclinedLostCard',
  '4000000000009979': 'pm_card_visa_chargeDeclinedStolenCard',
  '4000000000000069': 'pm_card_chargeDeclinedExpiredCard',
  '4000000000000127': 'pm_card_chargeDeclinedIncorrectCvc',
  '4000000000000119': 'pm_card_chargeDeclinedProcessingError',
  '4000000000000341': 'pm_card_chargeCustomerFail',
  '4000002760003184': 'pm_card_authenticationRequired',
  '4000002500003155': 'pm_card_authenticationRequiredOnSetup',
  '4000003800000446': 'pm_card_authenticationRequiredSetupForOffSession',
  '4000008260003178': 'pm_card_authenticationRequiredChargeDeclinedInsufficientFunds',
}
