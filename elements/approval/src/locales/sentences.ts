/** What the page says beyond what the card form says too. A language that lacks one does not compile. */
export type Sentences = {
  readonly loading: string
  readonly asks: (name: string) => string
  readonly beforeText: string
  readonly show: string
  readonly answerBy: (time: string) => string
  readonly atMost: string
  readonly atMostText: string
  readonly risen: string
  readonly boughtFor: string
  readonly shippedTo: string
  /** Before answers that the person has kept: which shop gets them. */
  readonly answeredAgain: string
  readonly why: string
  readonly reasons: { readonly [Reason in ReasonName]: (name: string) => string }
  readonly payWith: string
  readonly cardEnding: (brand: string, last4: string) => string
  readonly cardExpiry: (expiry: string) => string
  readonly cardOver: string
  readonly noCards: (name: string) => string
  readonly codeInTest: string
  readonly passkeyNext: string
  readonly popupNext: string
  readonly window: string
  readonly openWindow: string
  readonly approve: string
  readonly decline: string
  readonly approved: string
  readonly approvedText: string
  readonly declined: string
  readonly declinedText: string
  readonly back: (name: string) => string
  readonly close: string
  readonly offline: string
  readonly tooMany: (minutes: number) => string
  readonly shownAgain: string
  readonly notThisCard: string
  readonly notProven: string
  readonly notAllowed: (name: string) => string
  readonly failed: string
  readonly over: string
  readonly overText: string
  readonly claimed: string
  readonly claimedText: string
  readonly incomplete: string
  readonly incompleteText: string
}

/** Why nobody but a person decides: the words that a purchase's decision comes down to. */
export type ReasonName = 'always' | 'limit' | 'merchant' | 'card' | 'price' | 'retry'
