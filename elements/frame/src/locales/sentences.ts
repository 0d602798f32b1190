import type { BillingField } from '../billing/billing-address.ts'
import type { Interval } from '../calls/standing-budget.ts'
import type { CardFault } from '../card/check-card.ts'

/** Everything that a person reads. A language that lacks one does not compile. */
export type Sentences = {
  readonly loading: string
  readonly signIn: SignInSentences
  readonly testMode: string
  readonly testCards: string
  readonly number: string
  readonly expiry: string
  /** Month and year in the letters of the language. */
  readonly expiryForm: string
  readonly code: string
  readonly codeOnBack: string
  readonly codeOnFront: string
  readonly name: string
  readonly optional: string
  /** What the fields of the payment processor are called, for those who hear them. */
  readonly processorFields: string
  readonly faults: { readonly [Fault in CardFault]: string }
  readonly billing: BillingSentences
  readonly consent: string
  readonly consentTerms: string
  readonly consentNotForBrand: string
  /** An amount, and how often. */
  readonly budgetUpTo: { readonly [Every in Interval]: (amount: string) => string }
  readonly budget: (upTo: string) => string
  readonly budgetUntil: (upTo: string, date: string) => string
  readonly budgetTerms: string
  readonly budgetRefused: string
  readonly addCard: string
  readonly adding: string
  /** The card was refused, by the field that it was refused for. */
  readonly refused: {
    readonly number: string
    readonly expiry: string
    readonly code: string
    readonly name: string
    readonly card: string
  }
  readonly tooMany: (minutes: number) => string
  readonly unavailable: string
  readonly notPossible: string
  readonly offline: string
  readonly tryAgain: string
  readonly sessionOver: string
  readonly sessionOverText: string
  readonly goOn: string
  readonly notShown: string
  readonly otpTitle: string
  readonly otpText: string
  readonly otpLabel: string
  readonly otpMissing: string
  readonly otpWrong: string
  readonly otpInTest: string
  readonly confirm: string
  readonly confirming: string
  readonly passkeyTitle: string
  readonly passkeyText: string
  readonly passkeyButton: string
  readonly popupTitle: string
  readonly popupText: string
  readonly popupButton: string
  readonly notNow: string
  readonly verificationFailed: string
  readonly added: (brand: string, last4: string) => string
  readonly addedForAgents: string
  readonly addedWithCode: string
  readonly purchase: string
  /** Above the highest amount. */
  readonly atMost: string
  readonly atMostText: string
  readonly payWith: string
  readonly anotherCard: string
  readonly cardEnding: (brand: string, last4: string) => string
  readonly expires: (date: string) => string
  readonly expired: (date: string) => string
  readonly askingCard: string
  /** What a card asks for when it pays. */
  readonly bankCodeText: string
  readonly passkeyNext: string
  readonly popupNext: string
  readonly passkeyConfirm: string
  readonly windowOpen: string
  readonly windowLate: string
  readonly startAgain: string
  readonly cancel: string
  readonly change: string
  readonly notProven: string
  readonly purchaseOver: string
}

/** The names of the fields, and what is said where one is empty or was not taken. */
type BillingSentences = { readonly [Field in BillingField]: string } & {
  readonly title: string
  readonly missing: { readonly [Field in BillingField]: string }
  readonly refused: string
}

/** What a person reads who signs in at a shop. */
export type SignInSentences = {
  /** Above the host of the shop. */
  readonly at: string
  readonly text: string
  readonly buying: (bought: string, amount: string) => string
  readonly username: string
  readonly password: string
  readonly usernameMissing: string
  readonly passwordMissing: string
  readonly submit: string
  readonly sending: string
  readonly kept: string
  /** Above the host, where it has sent a code. */
  readonly codeFrom: string
  readonly codeText: string
  readonly code: string
  readonly refused: string
  readonly codeRefused: string
  readonly lost: string
  readonly offline: string
  readonly unavailable: string
  readonly tooMany: string
  readonly notSealed: string
  readonly checking: (host: string) => string
  readonly done: string
  readonly doneText: string
  readonly minted: string
  readonly mintedText: string
  readonly gone: string
  readonly goneText: string
  readonly overText: string
}
