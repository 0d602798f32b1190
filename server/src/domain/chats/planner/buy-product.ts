import { fitting, openOption } from './match-options.ts'
import type { Memory, Shown, Stored, Subject } from './memory.ts'
import { isWithin, limitIn, priceText } from './price-text.ts'
import { searchProducts } from './search-products.ts'
import { detail, optionsOf } from './show-product.ts'
import { merged, subjectOf } from './subject.ts'
import type { Call, Talk, Wanted } from './talk.ts'
import { productsMeant } from './which-product.ts'

export function buy(talk: Talk, wish: Wanted<'buy'>): Call[] {
  const { query, which } = wish
  if (query !== undefined) {
    const { options = {}, quantity = null, max, merchant } = wish
    const terms = { ...(max === undefined ? {} : { max }), ...(merchant === undefined ? {} : { merchant }) }
    return searchProducts(
      talk,
      { query, options, quantity, ...terms, cursor: null },
      { what: 'search_to_buy', wish },
    )
  }
  // "Buy it" of what is asked about already is a yes.
  const isIt = which === undefined || which.by === 'it'
  if (isIt && talk.memory.speaksOf === 'purchase' && talk.memory.subject === null) return yes(talk)
  const product = talk.oneOf(productsMeant(which, wish.options, talk.memory))
  if (!product) return []
  const { subject, search } = talk.memory
  const before = subject?.product.id === product.id ? subject : null
  // What was said when it was looked for still holds.
  const said = {
    options: { ...search?.options, ...wish.options },
    max: wish.max ?? search?.max,
    quantity: wish.quantity ?? search?.quantity,
  }
  return prepare(
    talk,
    before ? merged(before, { ...said, options: wish.options ?? {} }) : subjectOf(product, said),
  )
}

/** Buys what is spoken of, once nothing is missing: never another variant, and never above what somebody wants to pay. */
export function prepare(talk: Talk, subject: Stored<Subject>): Call[] {
  const { product, options, chosen, quantity, max } = subject
  talk.remember({ subject, asks: null })
  if (!product.isSold) return talk.tell(talk.say.notBuyable(product.title))
  if (product.needs.length > 0) return talk.tell(talk.say.needsInput(product.title, product.needs.join(', ')))
  const like = fitting(product, { options, chosen })
  if (like.length === 0) {
    const values = optionsOf(product).flatMap((option) => option.values)
    talk.remember({ subject: { ...subject, options: {}, chosen: {} }, asks: askedOf(product) })
    const wanted = Object.values(options).join(', ')
    return talk.tell(
      values.length === 0
        ? talk.say.soldOut(product.title)
        : talk.say.notInOption(product.title, wanted, values.join(', ')),
    )
  }
  const available = like.filter(({ isAvailable }) => isAvailable)
  // guard missing-option-is-asked: nothing is bought in an option that nobody has chosen
  const open = openOption(available)
  if (open) {
    talk.remember({ asks: { kind: 'option', ...open } })
    return talk.tell(talk.say.askOption(product.title, open.name, open.values.join(', ')))
  }
  const [variant] = available
  if (!variant) return talk.tell(talk.say.soldOut(product.title))
  const price = priceText(talk.memory.language, variant.amount, variant.currency)
  // guard budget-of-another-currency: a limit that cannot be compared with a price is not passed over
  if (max && limitIn(max, variant.currency) === null)
    return talk.tell(talk.say.otherCurrency(product.title, price))
  // guard budget-of-a-wish: what costs more than somebody wants to pay is not bought
  if (!isWithin({ ...variant, amount: variant.amount * quantity }, { max }))
    return talk.tell(talk.say.overBudget(product.title, price))
  const cap = max ? limitIn(max, variant.currency) : null
  talk.remember({ doing: { what: 'buy', wish: null } })
  return [
    {
      name: 'v1_create_purchase_intent',
      args: {
        items: [
          {
            url: product.url,
            quantity,
            expected_amount: variant.amount,
            expected_currency: variant.currency,
            ...(product.variants.length > 1 ? { variant: { id: variant.id } } : {}),
          },
        ],
        ...(cap === null ? {} : { max_amount: cap }),
      },
    },
  ]
}

export function adjust(talk: Talk, wish: Wanted<'adjust'>): Call[] {
  const { subject, asks, shown } = talk.memory
  if (wish.which !== undefined && !subject) return buyOrShow(talk, wish)
  if (!subject) {
    const [only] = shown
    if (shown.length === 1 && only) return prepareOrAsk(talk, subjectOf(only, wish))
    return talk.tell(shown.length === 0 ? talk.say.nothingShown : talk.say.which)
  }
  const changed = merged(subject, wish)
  if (asks?.kind === 'option') return prepare(talk, changed)
  return prepareOrAsk(talk, changed)
}

function buyOrShow(talk: Talk, { which, options }: Wanted<'adjust'>): Call[] {
  return detail(talk, { action: 'show', which: which ?? { by: 'it' }, ...(options ? { options } : {}) })
}

/** Something was said of a product that nobody has asked to buy: it is remembered, and asked about. */
function prepareOrAsk(talk: Talk, subject: Stored<Subject>): Call[] {
  talk.remember({ subject, asks: { kind: 'whether' } })
  talk.show.push(subject.product.id)
  talk.tell(talk.say.detail(subject.product.title, talk.price(subject.product), subject.product.merchant))
  return talk.tell(talk.say.shallI)
}

export function yes(talk: Talk): Call[] {
  const { asks, subject, purchase } = talk.memory
  if (asks?.kind === 'whether' && subject) return prepare(talk, subject)
  // A message is no approval, whatever it says: the button is shown again.
  if (purchase !== null) {
    talk.remember({ doing: { what: 'button', wish: null } })
    return [{ name: 'v1_get_purchase_intent', args: { purchase_intent_id: purchase } }]
  }
  return talk.tell(talk.say.unclear)
}

function askedOf(product: Shown): Memory['asks'] {
  const open = openOption(product.variants.filter(({ isAvailable }) => isAvailable))
  return open ? { kind: 'option', ...open } : null
}
