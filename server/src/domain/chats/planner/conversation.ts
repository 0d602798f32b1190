import type { PurchaseSummary } from '../parts.ts'
import type { ToolCall } from '../port.ts'
import { fits, fitting, openOption } from './match-options.ts'
import type { Doing, Memory, Search, Shown, Stored, Subject } from './memory.ts'
import { isWithin, type Limit, limitIn, priceText } from './price-text.ts'
import { refusalText } from './refusal-text.ts'
import { sentencesIn } from './sentences/in-language.ts'
import type { Sentences } from './sentences/sentences.ts'
import { shownIn } from './shown-products.ts'
import type { Options, Wish } from './understood.ts'
import { productsMeant } from './which-product.ts'

type Call = Omit<ToolCall, 'id'>
type Wanted<A extends Wish['action'] = Wish['action']> = Extract<Stored<Wish>, { action: A }>

/** An answer of an operation. */
export type Heard = { readonly name: string; readonly isError: boolean; readonly result: unknown }

const shownMax = 5
const searchedMax = 10

/** One turn of talk: from what is remembered to what is said, shown and called. */
export class Conversation {
  memory: Memory
  readonly show: string[] = []
  readonly #said: string[] = []
  readonly #say: Sentences

  constructor(memory: Memory) {
    this.memory = memory
    this.#say = sentencesIn(memory.language)
  }

  get text(): string {
    return this.#said.join(' ')
  }

  /** Goes on with the wishes that are left, until one of them needs an operation. */
  goOn(): Call[] {
    for (;;) {
      const [wish, ...todo] = this.memory.todo
      if (!wish) return []
      this.#set({ todo, doing: null })
      const calls = this.#take(wish)
      if (calls.length > 0) return calls
    }
  }

  /** What was called has answered; purchases that were read are told as they stand. */
  hear(answers: readonly Heard[], purchases: readonly PurchaseSummary[]): Call[] {
    const { doing } = this.memory
    const refused = answers.find(({ isError }) => isError)
    if (refused) this.#said.push(this.#say.toolFailed(refusalText(refused.result)))
    else {
      const calls = doing ? this.#heard(doing, answers, purchases) : this.#tell(purchases)
      if (calls.length > 0) return calls
    }
    this.#set({ doing: null })
    return this.goOn()
  }

  #take(wish: Wanted): Call[] {
    switch (wish.action) {
      case 'search':
        return this.#search({
          ...wish,
          options: wish.options ?? {},
          quantity: wish.quantity ?? null,
          cursor: null,
        })
      case 'refine':
        return this.#refine(wish)
      case 'compare':
        return this.#compare(wish)
      case 'show':
        return this.#detail(wish)
      case 'buy':
        return this.#buy(wish)
      case 'adjust':
        return this.#adjust(wish)
      case 'yes':
        return this.#yes()
      case 'no':
        this.#set({ asks: null, subject: null })
        return this.#tellOnly(this.#say.fine)
      case 'follow':
      case 'why':
      case 'return':
      case 'cancel':
      case 'retry':
        return this.#aboutPurchase(wish)
      case 'greet':
      case 'thank':
      case 'help':
      case 'unclear':
        return this.#tellOnly(this.#say[wish.action])
      case 'refuse':
        return this.#tellOnly(this.#say.refused[wish.what ?? 'other'])
      default:
        return wish satisfies never
    }
  }

  #heard(doing: Doing, answers: readonly Heard[], purchases: readonly PurchaseSummary[]): Call[] {
    switch (doing.what) {
      case 'search':
      case 'refine':
      case 'more':
      case 'search_to_buy':
        return this.#found(doing, answers.at(-1)?.result)
      case 'return':
        return this.#tellOnly(this.#say.cannotReturn(purchases[0]?.merchants.join(', ') ?? ''))
      default:
        return this.#purchaseHeard(doing, answers, purchases)
    }
  }

  // Finding

  #search(search: Stored<Search>, what: Doing['what'] = 'search', wish: Wanted | null = null): Call[] {
    this.#set({
      search,
      doing: { what, wish },
      asks: null,
      ...(what === 'search_to_buy' ? {} : { subject: null }),
    })
    const currency = search.max?.currency ?? search.min?.currency ?? this.memory.shown[0]?.currency ?? null
    const isPriced = search.max !== undefined || search.min !== undefined || isByPrice(search)
    const limit = (price: Limit | undefined) =>
      price === undefined || currency === null ? undefined : (limitIn(price, currency) ?? undefined)
    const price = { min: limit(search.min), max: limit(search.max) }
    const isFiltered = currency !== null && (price.min !== undefined || price.max !== undefined)
    const domain =
      search.merchant !== undefined && /^[^\s.]+(\.[^\s.]+)+$/.test(search.merchant) ? search.merchant : null
    const filters = {
      ...(isFiltered ? { price: JSON.parse(JSON.stringify(price)) } : {}),
      ...(domain === null ? {} : { merchants: [{ domain: domain.toLowerCase() }] }),
    }
    const sort =
      search.sort === 'price' ? 'price_asc' : search.sort === 'price_descending' ? 'price_desc' : null
    return [
      {
        name: 'v1_search_catalog',
        args: {
          query: search.query.slice(0, 255),
          ...(currency !== null && isPriced ? { context: { currency } } : {}),
          ...(Object.keys(filters).length > 0 ? { filters } : {}),
          ...(sort !== null && currency !== null ? { sort } : {}),
          pagination: { limit: searchedMax, ...(search.cursor === null ? {} : { cursor: search.cursor }) },
        },
      },
    ]
  }

  #refine(wish: Wanted<'refine'>): Call[] {
    const { search, shown } = this.memory
    if (!search) return this.#tellOnly(this.#say.nothingShown)
    const cheapest = shown.toSorted((a, b) => a.amount - b.amount)[0]
    const cheaper =
      wish.cheaper && cheapest
        ? { max: { amount: cheapest.amount - 1, currency: cheapest.currency }, sort: 'price' as const }
        : {}
    const { action: _, cheaper: __, more, options, ...terms } = wish
    const changed: Stored<Search> = {
      ...search,
      ...cheaper,
      ...terms,
      options: { ...search.options, ...options },
      cursor: more ? search.cursor : null,
    }
    if (more && search.cursor === null) return this.#tellOnly(this.#say.nothingMore)
    return this.#search(changed, more ? 'more' : 'refine', wish)
  }

  #found(doing: Doing, answer: unknown): Call[] {
    const { search } = this.memory
    if (!search) return []
    const all = shownIn(answer).filter((product) => this.#isMeant(product, search))
    const inOption = all.filter((product) => fits(product, search.options))
    const isUnlike = inOption.length === 0 && all.length > 0
    const ordered = inOrder(isUnlike ? all : inOption, search.sort)
    const shown = ordered.slice(0, shownMax)
    const wish = doing.wish
    const isCheaper = wish?.action === 'refine' && wish.cheaper === true
    if (shown.length === 0) {
      const nothing = isCheaper
        ? this.#say.nothingCheaper
        : doing.what === 'more'
          ? this.#say.nothingMore
          : this.#say.nothing(search.query)
      return this.#tellOnly(nothing)
    }
    this.#set({ shown, search: { ...search, cursor: cursorIn(answer) } })
    this.show.push(...shown.map(({ id }) => id))
    if (isUnlike) {
      this.#said.push(this.#say.noneLikeThat(Object.values(search.options).join(', ')))
      return []
    }
    if (doing.what === 'search_to_buy' && wish?.action === 'buy') return this.#buyFound(wish, shown)
    const [only] = shown
    if (shown.length === 1 && only) this.#said.push(this.#say.foundOne(only.title, this.#price(only)))
    else this.#said.push(this.#say.found(shown.length), this.#say.which)
    return []
  }

  /** One that fits is bought. Among several, a person chooses. */
  #buyFound(wish: Wanted<'buy'>, shown: readonly Shown[]): Call[] {
    const [only] = shown
    if (shown.length > 1 || !only) {
      this.#said.push(this.#say.found(shown.length), this.#say.which)
      return []
    }
    return this.#prepare(subjectOf(only, wish))
  }

  #isMeant(product: Shown, search: Stored<Search>): boolean {
    const title = `${product.title} ${product.merchant} ${product.url ?? ''}`.toLowerCase()
    const isOfMerchant = search.merchant === undefined || title.includes(search.merchant.toLowerCase())
    const isWithout = (search.without ?? []).every((word) => !title.includes(word.toLowerCase()))
    return isOfMerchant && isWithout && isWithin(product, search)
  }

  #compare({ by }: Wanted<'compare'>): Call[] {
    const { shown } = this.memory
    if (shown.length === 0) return this.#tellOnly(this.#say.nothingShown)
    if (by === 'rating') return this.#tellOnly(this.#say.noRatings)
    if (by === 'delivery') return this.#tellOnly(this.#say.noDelivery)
    const sorted = inOrder(shown, 'price')
    this.#set({ shown: sorted })
    this.show.push(...sorted.map(({ id }) => id))
    return this.#tellOnly(this.#say.sortedByPrice)
  }

  #detail({ which, options }: Wanted<'show'>): Call[] {
    const product = this.#oneOf(productsMeant(which, options, this.memory))
    if (!product) return []
    this.show.push(product.id)
    this.#said.push(this.#say.detail(product.title, this.#price(product), product.merchant))
    for (const { name, values } of optionsOf(product))
      this.#said.push(this.#say.options(name, values.join(', ')))
    this.#set({ subject: subjectOf(product, { options: options ?? {} }), asks: { kind: 'whether' } })
    return this.#tellOnly(this.#say.shallI)
  }

  // Buying

  #buy(wish: Wanted<'buy'>): Call[] {
    const { query, which } = wish
    if (query !== undefined) {
      const { options = {}, quantity = null, max, merchant } = wish
      const terms = { ...(max === undefined ? {} : { max }), ...(merchant === undefined ? {} : { merchant }) }
      return this.#search({ query, options, quantity, ...terms, cursor: null }, 'search_to_buy', wish)
    }
    const product = this.#oneOf(productsMeant(which, wish.options, this.memory))
    if (!product) return []
    const { subject, search } = this.memory
    const before = subject?.product.id === product.id ? subject : null
    // What was said when it was looked for still holds.
    const said = {
      options: { ...search?.options, ...wish.options },
      max: wish.max ?? search?.max,
      quantity: wish.quantity ?? search?.quantity,
    }
    return this.#prepare(
      before ? merged(before, { ...said, options: wish.options ?? {} }) : subjectOf(product, said),
    )
  }

  /** Buys what is spoken of, once nothing is missing: never another variant, and never above what somebody wants to pay. */
  #prepare(subject: Stored<Subject>): Call[] {
    const { product, options, chosen, quantity, max } = subject
    this.#set({ subject, asks: null })
    if (!product.isSold) return this.#tellOnly(this.#say.notBuyable(product.title))
    if (product.needs.length > 0)
      return this.#tellOnly(this.#say.needsInput(product.title, product.needs.join(', ')))
    const like = fitting(product, { options, chosen })
    if (like.length === 0) {
      const values = optionsOf(product).flatMap((option) => option.values)
      this.#set({ subject: { ...subject, options: {}, chosen: {} }, asks: askedOf(product) })
      const wanted = Object.values(options).join(', ')
      return this.#tellOnly(
        values.length === 0
          ? this.#say.soldOut(product.title)
          : this.#say.notInOption(product.title, wanted, values.join(', ')),
      )
    }
    const available = like.filter(({ isAvailable }) => isAvailable)
    // guard missing-option-is-asked: nothing is bought in an option that nobody has chosen
    const open = openOption(available)
    if (open) {
      this.#set({ asks: { kind: 'option', ...open } })
      return this.#tellOnly(this.#say.askOption(product.title, open.name, open.values.join(', ')))
    }
    const [variant] = available
    if (!variant) return this.#tellOnly(this.#say.soldOut(product.title))
    // guard budget-of-a-wish: what costs more than somebody wants to pay is not bought
    if (!isWithin({ ...variant, amount: variant.amount * quantity }, { max }))
      return this.#tellOnly(
        this.#say.overBudget(
          product.title,
          priceText(this.memory.language, variant.amount, variant.currency),
        ),
      )
    const cap = max ? limitIn(max, variant.currency) : null
    this.#set({ doing: { what: 'buy', wish: null } })
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

  #adjust(wish: Wanted<'adjust'>): Call[] {
    const { subject, asks, shown } = this.memory
    if (wish.which !== undefined && !subject) return this.#buyOrShow(wish)
    if (!subject) {
      const [only] = shown
      if (shown.length === 1 && only) return this.#prepareOrAsk(subjectOf(only, wish))
      return this.#tellOnly(shown.length === 0 ? this.#say.nothingShown : this.#say.which)
    }
    const changed = merged(subject, wish)
    if (asks?.kind === 'option') return this.#prepare(changed)
    return this.#prepareOrAsk(changed)
  }

  #buyOrShow({ which, options }: Wanted<'adjust'>): Call[] {
    return this.#detail({ action: 'show', which: which ?? { by: 'it' }, ...(options ? { options } : {}) })
  }

  /** Something was said of a product that nobody has asked to buy: it is remembered, and asked about. */
  #prepareOrAsk(subject: Stored<Subject>): Call[] {
    this.#set({ subject, asks: { kind: 'whether' } })
    this.show.push(subject.product.id)
    this.#said.push(
      this.#say.detail(subject.product.title, this.#price(subject.product), subject.product.merchant),
    )
    return this.#tellOnly(this.#say.shallI)
  }

  #yes(): Call[] {
    const { asks, subject, purchase } = this.memory
    if (asks?.kind === 'whether' && subject) return this.#prepare(subject)
    // guard yes-approves-nothing: a message is no approval, whatever it says
    if (purchase !== null) {
      this.#set({ doing: { what: 'button', wish: null } })
      return [{ name: 'v1_get_purchase_intent', args: { purchase_intent_id: purchase } }]
    }
    return this.#tellOnly(this.#say.unclear)
  }

  // Purchases

  #aboutPurchase(wish: Wanted<'follow' | 'why' | 'return' | 'cancel' | 'retry'>): Call[] {
    const { purchase } = this.memory
    this.#set({ doing: { what: wish.action, wish } })
    if (purchase === null) return [{ name: 'v1_list_purchase_intents', args: { limit: 1 } }]
    return [this.#onPurchase(wish.action, purchase)]
  }

  #onPurchase(what: Doing['what'], id: string): Call {
    const name =
      what === 'cancel'
        ? 'v1_cancel_purchase_intent'
        : what === 'retry'
          ? 'v1_retry_purchase_intent'
          : 'v1_get_purchase_intent'
    return { name, args: { purchase_intent_id: id } }
  }

  #purchaseHeard(doing: Doing, answers: readonly Heard[], purchases: readonly PurchaseSummary[]): Call[] {
    const last = answers.at(-1)
    if (last?.name === 'v1_list_purchase_intents') {
      const id = newestIn(last.result)
      if (id === null) return this.#tellOnly(this.#say.noPurchase)
      this.#set({ purchase: id })
      return [this.#onPurchase(doing.what, id)]
    }
    if (doing.what === 'button' && purchases.some(({ status }) => status === 'awaiting_approval'))
      return this.#tellOnly(this.#say.approvedByPerson)
    const calls = this.#tell(purchases)
    if (doing.what === 'buy') this.#set({ subject: null })
    return calls
  }

  /** How purchases stand, in a sentence each. */
  #tell(purchases: readonly PurchaseSummary[]): Call[] {
    for (const purchase of purchases) {
      this.#set({ purchase: purchase.purchase_intent_id })
      this.#said.push(this.#standing(purchase))
    }
    return []
  }

  #standing(purchase: PurchaseSummary): string {
    const title = purchase.items
      .map(({ title: each, quantity }) => (quantity > 1 ? `${quantity} × ${each}` : each))
      .join(', ')
    const price = (amount: number) => priceText(this.memory.language, amount, purchase.currency)
    switch (purchase.status) {
      case 'awaiting_approval':
        return this.#say.approve(title, purchase.merchants.join(', '), price(purchase.max_allowed_amount))
      case 'succeeded':
        return this.#say.bought(title, price(purchase.actual_amount))
      case 'failed':
        return this.#say.failed(title, purchase.failure_code ?? '')
      case 'cancelled':
        return this.#say.cancelled(title)
      case 'declined':
        return this.#say.declined(title)
      default:
        return purchase.needs_person ? this.#say.needsPerson(title) : this.#say.buying(title)
    }
  }

  // Talk

  #oneOf(products: readonly Shown[]): Shown | null {
    const [one] = products
    if (products.length === 1 && one) return one
    const { shown } = this.memory
    this.#said.push(
      shown.length === 0
        ? this.#say.nothingShown
        : products.length === 0
          ? this.#say.onlyShown(shown.length)
          : this.#say.which,
    )
    return null
  }

  #price({ amount, currency }: Pick<Shown, 'amount' | 'currency'>): string {
    return priceText(this.memory.language, amount, currency)
  }

  #tellOnly(sentence: string): Call[] {
    this.#said.push(sentence)
    return []
  }

  #set(changed: Partial<Memory>): void {
    this.memory = { ...this.memory, ...changed }
  }
}

type SaidOf = {
  options?: Options | undefined
  quantity?: number | null | undefined
  max?: Limit | null | undefined
}

function subjectOf(product: Shown, { options = {}, quantity, max }: SaidOf): Stored<Subject> {
  return { product, options, chosen: {}, quantity: quantity ?? 1, max: max ?? null }
}

function merged(subject: Stored<Subject>, { options, quantity, max }: SaidOf): Stored<Subject> {
  return {
    ...subject,
    options: { ...subject.options, ...options },
    quantity: quantity ?? subject.quantity,
    max: max ?? subject.max,
  }
}

function askedOf(product: Shown): Memory['asks'] {
  const open = openOption(product.variants.filter(({ isAvailable }) => isAvailable))
  return open ? { kind: 'option', ...open } : null
}

function optionsOf(product: Shown): { name: string; values: string[] }[] {
  const names = [...new Set(product.variants.flatMap(({ options }) => options.map(({ name }) => name)))]
  return names.map((name) => {
    const labels = product.variants.flatMap(({ options }) => options.filter((one) => one.name === name))
    return { name, values: [...new Set(labels.map(({ label }) => label))] }
  })
}

function isByPrice({ sort }: Pick<Stored<Search>, 'sort'>): boolean {
  return sort === 'price' || sort === 'price_descending'
}

function inOrder(products: readonly Shown[], sort: Stored<Search>['sort']): readonly Shown[] {
  if (sort === 'price') return products.toSorted((a, b) => a.amount - b.amount)
  if (sort === 'price_descending') return products.toSorted((a, b) => b.amount - a.amount)
  return products
}

function cursorIn(answer: unknown): string | null {
  const pagination = (answer as { pagination?: { cursor?: unknown } } | null)?.pagination
  return typeof pagination?.cursor === 'string' ? pagination.cursor : null
}

function newestIn(list: unknown): string | null {
  const [first] = (list as { data?: { id?: unknown }[] } | null)?.data ?? []
  return typeof first?.id === 'string' ? first.id : null
}
