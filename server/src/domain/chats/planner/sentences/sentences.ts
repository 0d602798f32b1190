/** What the planner says, in one language. Names of products and shops, prices and values of options come from answers of operations. */
export type Sentences = {
  readonly found: (count: number) => string
  readonly foundOne: (title: string, price: string) => string
  readonly nothing: (query: string) => string
  readonly nothingCheaper: string
  readonly nothingMore: string
  /** Products were found, and none of them has what was asked for. */
  readonly noneLikeThat: (wanted: string) => string
  readonly which: string
  readonly onlyShown: (count: number) => string
  readonly detail: (title: string, price: string, merchant: string) => string
  readonly options: (name: string, values: string) => string
  readonly shallI: string
  readonly askOption: (title: string, name: string, values: string) => string
  readonly notInOption: (title: string, wanted: string, values: string) => string
  readonly soldOut: (title: string) => string
  readonly notBuyable: (title: string) => string
  readonly needsInput: (title: string, labels: string) => string
  readonly overBudget: (title: string, price: string) => string
  readonly otherCurrency: (title: string, price: string) => string
  readonly approve: (title: string, merchant: string, cap: string) => string
  readonly payFirst: (title: string) => string
  readonly needsPerson: (title: string) => string
  readonly buying: (title: string) => string
  readonly bought: (title: string, amount: string) => string
  readonly failed: (title: string, reason: string) => string
  readonly cancelled: (title: string) => string
  readonly declined: (title: string) => string
  readonly approvedByPerson: string
  readonly alreadyAsked: string
  readonly noPurchase: string
  readonly cannotReturn: (merchant: string) => string
  readonly sortedByPrice: string
  readonly noRatings: string
  readonly noDelivery: string
  readonly nothingShown: string
  readonly refused: Readonly<Record<'address' | 'card' | 'limit' | 'person' | 'other', string>>
  readonly greet: string
  readonly thank: string
  readonly help: string
  readonly unclear: string
  readonly fine: string
  readonly toolFailed: (message: string) => string
  readonly notices: Readonly<Record<Notice, string>>
}

export const noticeCodes = [
  'stopped',
  'key_ended',
  'frozen',
  'too_many_steps',
  'too_long',
  'too_many_tokens',
  'tokens_of_day_used',
  'cost_of_day_used',
  'internal_error',
  'amount_not_known',
  'model_unavailable',
  'model_overloaded',
  'model_unreadable',
] as const
export type Notice = (typeof noticeCodes)[number]
