/** Of cards that people enter in live mode. */
export const cardsSettings = {
  PROKURA_CARDS: {
    kind: { type: 'choice', choices: ['processor', 'vault'] },
    default: 'processor',
    description:
      'Who takes the cards that people enter in live mode. processor: the payment processor, on a page of PROKURA_CARDS_URL, and no number comes near this service. vault: our own fields and vault, whose cards PROKURA_LIVE_RAIL=stripe cannot charge yet. Test mode always has our own fields.',
  },
  PROKURA_CARDS_URL: {
    kind: { type: 'url', protocols: ['http:', 'https:'], isBase: true },
    default: null,
    description:
      'The origin of the page on which the payment processor takes cards: a third name of the API, which a proxy leads to the same port. It serves nothing else, and it alone lets scripts of the processor run. PROKURA_LIVE_RAIL=stripe needs it.',
  },
} as const

/** What a live rail needs of where cards are entered: each lack with what to set. */
export function cardsFaults(values: ReadonlyMap<string, unknown>): string[] {
  if (values.get('PROKURA_LIVE_RAIL') !== 'stripe') return []
  if (values.get('PROKURA_CARDS') === 'vault')
    return [
      'PROKURA_CARDS=vault does not work with PROKURA_LIVE_RAIL=stripe, which charges cards that Stripe keeps; set PROKURA_CARDS=processor',
    ]
  const names = ['PROKURA_CARDS_URL', 'PROKURA_ELEMENTS_URL', 'PROKURA_PUBLIC_URL'] as const
  const [cards, ...others] = names.map((name) => values.get(name))
  if (typeof cards !== 'string')
    return ['PROKURA_LIVE_RAIL=stripe needs PROKURA_CARDS_URL: people enter cards on a page of that origin']
  if (typeof others[0] !== 'string')
    return ['PROKURA_CARDS_URL needs PROKURA_ELEMENTS_URL: its page stands in frames of that origin']
  // guard cards-on-an-origin-of-their-own: a script of the processor that went wrong could act as the page that it runs in
  if (others.some((other) => typeof other === 'string' && new URL(other).host === new URL(cards).host))
    return [
      'PROKURA_CARDS_URL must have a host of its own, other than those of PROKURA_PUBLIC_URL and PROKURA_ELEMENTS_URL',
    ]
  return []
}
