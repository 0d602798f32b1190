/** How a paid request is answered. Nothing said: as it should be. */
export type Api = {
  about: string
  amount?: number
  /** How much dearer it is each time that it is asked. */
  rises?: number
  currencies?: readonly string[]
  /** In turn, each time that it is asked. */
  recipients?: readonly string[]
  realm?: string
  expiresInMs?: number
  /** Instead of a challenge. */
  unpaid?: 'free' | 'garbage' | 'none' | 'redirect'
  /** The connection breaks at the first payment of a challenge, or at every one, before it is taken. */
  breaks?: 'before' | 'after' | 'always'
  asksMore?: number
  isDeclined?: true
  /** Once it is paid. */
  answers?: 'again' | 'error' | 'large' | 'late' | 'picture' | 'redirect'
  receipt?: 'none' | 'garbage'
  /** Left out: every method that the shop takes. */
  methods?: readonly ('processor' | 'stripe')[]
  /** The seller that tokens are asked for, in turn; left out: the shop itself. */
  networks?: readonly string[]
}

export const host = 'mpp.shop.test'
export const price = 250
export const challengeMs = 300_000

const byAllMethods: Readonly<Record<string, Api>> = {
  forecast: { about: 'The weather of the next days.' },
  archive: { about: 'The weather of the last days, for more.', amount: 1900 },
  'dearer-each-time': { about: 'Costs more each time that it is asked.', rises: 25 },
  'expired-challenge': { about: 'The challenge has expired when it comes.', expiresInMs: -60_000 },
  'short-challenge': { about: 'The challenge is good for two seconds.', expiresInMs: 2_000 },
  'other-recipient': {
    about: 'Each second time somebody else is paid.',
    recipients: [host, 'other.example'],
  },
  'other-currency': { about: 'Costs dollars and euros in turn.', currencies: ['usd', 'eur'] },
  'other-realm': { about: 'The challenge is of another host.', realm: 'evil.example' },
  'no-receipt': { about: 'Answers without a receipt.', receipt: 'none' },
  'garbage-receipt': { about: 'Answers with a receipt that is none.', receipt: 'garbage' },
  'dies-before-charge': { about: 'The connection breaks, and nothing is charged.', breaks: 'before' },
  'dies-after-charge': { about: 'It is charged, then the connection breaks.', breaks: 'after' },
  'asks-again': { about: 'It is charged, and a payment is asked for once more.', answers: 'again' },
  'error-after-charge': { about: 'It is charged, then an error is answered.', answers: 'error' },
  declined: { about: 'No payment is good enough.', isDeclined: true },
  'asks-more': { about: 'One dollar more than the challenge says is asked for.', asksMore: 100 },
  redirects: { about: 'Leads to another host before it asks.', unpaid: 'redirect' },
  'redirects-when-paid': { about: 'It is charged, and leads to another host.', answers: 'redirect' },
  'too-large': { about: 'Answers 1.5 MiB.', answers: 'large' },
  slow: { about: 'It is charged, and answered after 25 seconds.', answers: 'late' },
  picture: { about: 'Answers a picture.', answers: 'picture' },
  'garbage-challenge': { about: 'Answers 402 with something that is no challenge.', unpaid: 'garbage' },
  'no-challenge': { about: 'Answers 402 without a challenge.', unpaid: 'none' },
  free: { about: 'Costs nothing.', unpaid: 'free' },
}

/** Of these there is one more that is paid by shared payment tokens alone. */
const alsoByToken = [
  'forecast',
  'short-challenge',
  'dies-before-charge',
  'dies-after-charge',
  'error-after-charge',
  'asks-more',
]

export const apis: Readonly<Record<string, Api>> = {
  ...byAllMethods,
  ...Object.fromEntries(
    alsoByToken.map((name): [string, Api] => [
      `token-${name}`,
      { about: '', ...byAllMethods[name], methods: ['stripe'] },
    ]),
  ),
  'token-in-yen': {
    about: 'Costs yen, which have no smaller part.',
    methods: ['stripe'],
    currencies: ['jpy'],
  },
  'token-never-taken': {
    about: 'The connection breaks at each payment, and nothing is charged.',
    methods: ['stripe'],
    breaks: 'always',
  },
  'token-other-network': {
    about: 'Each second time the token has to be for somebody else.',
    methods: ['stripe'],
    networks: ['profile_sandbox', 'profile_test_sandbox'],
    expiresInMs: 2_000,
  },
}
