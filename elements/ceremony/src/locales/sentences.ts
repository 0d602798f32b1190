/** What a person reads in the window. A language that lacks one does not compile. */
export type WindowSentences = {
  readonly loading: string
  /** The site that has sent the person here. */
  readonly askedBy: (site: string) => string
  readonly confirmPayment: string
  readonly makePasskey: string
  readonly confirmCard: string
  readonly passkeyText: string
  readonly bankText: string
  readonly shop: string
  readonly atMost: string
  readonly card: string
  readonly usePasskey: string
  readonly createPasskey: string
  readonly confirm: string
  readonly refuse: string
  readonly working: string
  readonly proven: string
  readonly provenText: (site: string) => string
  readonly refused: string
  readonly refusedText: (site: string) => string
  readonly over: string
  readonly overText: string
  readonly noPasskeys: string
  readonly noPasskeysText: string
  readonly tryAgain: string
  readonly offline: string
  readonly close: string
  readonly testBank: string
}
