import type { Options, Spoken, Terms, Wish } from '../understood.ts'
import { aboutPurchase } from './about-purchase.ts'
import { type Frame, has } from './frame.ts'
import type { Tag } from './lexicon.ts'
import { isOrder } from './orders.ts'
import { matchesShown } from './shown-words.ts'
import { whichOf } from './which-of.ts'

/** The wish of one part of a message. The order of the questions is the order of what matters: what denies comes before what buys. */
export function wishOf(frame: Frame, spoken: Spoken): Wish {
  return (
    refusal(frame) ??
    answer(frame, spoken) ??
    aboutPurchase(frame, spoken) ??
    comparison(frame, spoken) ??
    denial(frame, spoken) ??
    purchase(frame, spoken) ??
    pointed(frame, spoken) ??
    changed(frame, spoken) ??
    search(frame, spoken) ??
    manners(frame, spoken)
  )
}

function refusal(frame: Frame): Wish | null {
  if (
    has(frame, 'search', 'compare', 'cancel', 'return', 'follow') &&
    !has(frame, 'change', 'chat', 'person')
  )
    return null
  // "Why was my card declined" asks after a purchase.
  if (has(frame, 'why') && has(frame, 'fail')) return null
  if (has(frame, 'address')) return { action: 'refuse', what: 'address' }
  if (has(frame, 'card')) return { action: 'refuse', what: 'card' }
  if (has(frame, 'limit')) return { action: 'refuse', what: 'limit' }
  if (has(frame, 'person')) return { action: 'refuse', what: 'person' }
  return has(frame, 'chat') ? { action: 'refuse' } : null
}

/** What was asked for is answered by little: "M", "blau", "three". */
function answer(frame: Frame, spoken: Spoken): Wish | null {
  const { asked } = spoken
  if (asked === null || asked === 'whether') return null
  if (frame.units.some(({ tag }) => otherwise.has(tag)) || isDoubted(frame, asked)) return null
  const { options, quantity } = frame
  if (asked === 'quantity') {
    const said = quantity ?? (has(frame, 'one', 'a') && frame.query === '' ? 1 : null)
    return said === null ? null : { action: 'adjust', quantity: said, ...optionsOf(options) }
  }
  const words = frame.query.split(' ')
  const value =
    options[asked] ??
    (words.length === 1 && frame.query !== '' && !has(frame, 'need') ? frame.query : undefined)
  if (value === undefined) return null
  return { action: 'adjust', ...(quantity !== null && { quantity }), options: { ...options, [asked]: value } }
}

const otherwise: ReadonlySet<Tag> = new Set([
  'search',
  'buy',
  'show',
  'compare',
  'cancel',
  'return',
  'follow',
  'retry',
  'nobuy',
  'help',
] satisfies Tag[])

/** "Normalerweise hab ich M." */
const owning = /^(?:habe?|hatte) ich$/i

/** "M, I did not gain weight": what is denied after the answer is not the answer. */
function isDoubted({ units }: Frame, asked: Tag): boolean {
  const said = units.findIndex(({ tag }) => tag === asked)
  const end = units.findIndex(({ tag }, at) => said >= 0 && at > said && tag === 'mark')
  return units
    .slice(0, end < 0 ? undefined : end)
    .some(({ tag, text }) => tag === 'not' || tag === 'why' || (tag === 'hypo' && !owning.test(text)))
}

function comparison(frame: Frame, spoken: Spoken): Wish | null {
  const isCheap = frame.language === 'ja' && has(frame, 'cheap')
  const isMeasured =
    frame.extreme !== null || isCheap || has(frame, 'cheaper', 'sort', 'rating', 'delivery', 'price')
  const isNew = frame.query !== '' && spoken.shown.length === 0
  const asks = has(frame, 'which') && isMeasured && !isNew && !has(frame, 'buy', 'search')
  if (!has(frame, 'compare') && !asks) return null
  const { extreme, terms } = frame
  if (extreme === 'fastest' || terms.sort === 'delivery' || has(frame, 'delivery'))
    return { action: 'compare', by: 'delivery' }
  if (extreme === 'best_rated' || terms.sort === 'rating' || has(frame, 'rating'))
    return { action: 'compare', by: 'rating' }
  return { action: 'compare', by: 'price' }
}

/** What speaks of buying and does not ask for it. */
function denial(frame: Frame, spoken: Spoken): Wish | null {
  // "Don't order yet, show me some lamps", "vielleicht kaufe ich …, was gibt es": what is shown costs nothing.
  if (has(frame, 'nobuy', 'hypo') && looksAfter(frame)) return null
  if (has(frame, 'nobuy') || isTakenBack(frame)) return { action: 'no' }
  if (has(frame, 'unclear', 'sentence')) return { action: 'unclear' }
  if (
    frame.language === 'ja' &&
    has(frame, 'reported') &&
    !has(frame, 'search', 'need', 'show', 'more', 'cheaper')
  )
    return { action: 'unclear' }
  if (has(frame, 'buy') && has(frame, 'show', 'which', 'when', 'price', 'how'))
    return { action: has(frame, 'how') ? 'help' : 'unclear' }
  // "Maybe" makes a question of an order, and nothing of a search.
  const isHedged = frame.units.every(({ tag, value }) => tag !== 'hypo' || value === 'hedge')
  const isSeeing = has(frame, 'show') && !has(frame, 'buy')
  const asksAdvice = has(frame, 'hypo') && !isSeeing && (!isHedged || has(frame, 'buy'))
  // "Did I already order paper?" asks after a purchase.
  const recalls = frame.units.every(({ tag, text }) => tag !== 'hypo' || recalling.test(text))
  if (spoken.hasPurchase && has(frame, 'past') && recalls) return { action: 'follow' }
  if (
    asksAdvice &&
    !(has(frame, 'search') && frame.query !== '') &&
    !isQuestion(frame, spoken) &&
    !isOther(frame, spoken)
  )
    return { action: 'unclear' }
  if (has(frame, 'how') && !(isShown(frame) && !has(frame, 'buy', 'help')))
    return has(frame, 'buy', 'help') || frame.query === '' ? { action: 'help' } : { action: 'unclear' }
  if (has(frame, 'past') || (has(frame, 'buy') && has(frame, 'pasttime')))
    return { action: spoken.hasPurchase ? 'follow' : 'unclear' }
  if (!has(frame, 'not')) return null
  const wantsOther = hasTerms(frame.terms) || has(frame, 'cheaper', 'more')
  if (has(frame, 'buy')) return { action: 'no' }
  if (frame.query === '' && has(frame, 'help') && !has(frame, 'no')) return { action: 'help' }
  if (frame.query === '' && !wantsOther && (has(frame, 'no') || spoken.asked === 'whether'))
    return { action: 'no' }
  if (wantsOther || has(frame, 'search')) return null
  return {
    action:
      has(frame, 'need', 'one', 'it', 'the') || frame.place !== null || has(frame, 'color')
        ? 'no'
        : 'unclear',
  }
}

/** "How was the first one?" */
function isShown({ place, extreme, isPointing }: Frame): boolean {
  return place !== null || extreme !== null || isPointing
}

/** "The Deuter, how many liters is it": a question about one of the things that were shown. */
function isQuestion(frame: Frame, spoken: Spoken): boolean {
  const which = whichOf(frame, spoken)
  const asks = frame.units
    .filter(({ tag }) => tag === 'hypo')
    .every(({ text }) => /^(?:is|are|was) (?:it|that|they|this)$/i.test(text))
  return asks && which !== undefined && which.by !== 'it' && !has(frame, 'buy', 'need', 'past', 'not')
}

/** "Have you nothing cheaper?" asks for others. */
function isOther(frame: Frame, { shown }: Spoken): boolean {
  return shown.length > 0 && has(frame, 'cheaper', 'more') && !has(frame, 'buy', 'need', 'past', 'pasttime')
}

/** Whether it asks to see or find something after it spoke of buying. */
function looksAfter(frame: Frame): boolean {
  const spoke = frame.units.findIndex(({ tag }) => tag === 'nobuy' || tag === 'hypo')
  const looks = frame.units.findIndex(({ tag }, at) => at > spoke && (tag === 'search' || tag === 'show'))
  return spoke >= 0 && looks >= 0 && frame.query !== ''
}

const recalling = /^(?:hab|habe|haben|hatte|j'ai|ai|est-ce|est ce|he|ya|did|have)\b/i

/** "Buy it? No." A no after what would be bought is the last word. */
function isTakenBack({ units }: Frame): boolean {
  const bought = units.findIndex(({ tag }) => tag === 'buy')
  return bought >= 0 && units.slice(bought).some(({ tag }) => tag === 'no')
}

function purchase(frame: Frame, spoken: Spoken): Wish | null {
  const { query, terms, quantity, options } = frame
  // "Put the cheapest on top": what is put in order is not put in the basket.
  if (has(frame, 'sorting')) return null
  if (has(frame, 'nobuy', 'hypo') && looksAfter(frame)) return null
  const found = whichOf(frame, spoken)
  const isTaking =
    frame.units.some(({ tag, value }) => tag === 'need' && value !== 'weak') &&
    !has(frame, 'search', 'show', 'more', 'cheaper', 'change', 'rather')
  const isPointed =
    found !== undefined &&
    (found.by !== 'it' || (Object.keys(options).length === 0 && quantity === null && !hasTerms(terms)))
  const buying = frame.units.filter(({ tag }) => tag === 'buy')
  // "2個にして", "青でお願いします": what is chosen is an option where nothing is pointed at.
  if (has(frame, 'cheaper', 'more') && (found === undefined || found.by === 'it'))
    return has(frame, 'buy') && !isOrder(frame.units, frame.language, spoken) ? { action: 'unclear' } : null
  const isChoosing = buying.length > 0 && buying.every(({ value }) => value === 'choose')
  if (isChoosing && !isPointed) return null
  if (has(frame, 'search') || !(has(frame, 'buy') || (isTaking && isPointed && !has(frame, 'them'))))
    return null
  if (!isOrder(frame.units, frame.language, spoken)) {
    const first = frame.units.find(({ tag }) => tag !== 'mark' && tag !== 'greet')
    return {
      action:
        spoken.hasPurchase && /^(?:did|have) ?(?:i|we)?$/i.test(first?.text ?? '') ? 'follow' : 'unclear',
    }
  }
  const isNamed = query !== '' && found?.by !== 'words' && found?.by !== 'place' && found?.by !== 'options'
  const which = isNamed && found?.by === 'it' ? undefined : found
  return {
    action: 'buy',
    ...(which && { which }),
    ...(isNamed && { query }),
    ...(quantity !== null && { quantity }),
    ...optionsOf(options),
    ...(terms.max && { max: terms.max }),
    ...(terms.merchant !== undefined && { merchant: terms.merchant }),
  }
}

/** One of the things that were shown: "the second one, but in blue", "show me the cheapest". */
function pointed(frame: Frame, spoken: Spoken): Wish | null {
  const which = whichOf(frame, spoken)
  const isLooking =
    has(frame, 'search') && !(frame.language === 'ja' && has(frame, 'show') && frame.query === '')
  if (!which || isLooking || has(frame, 'more', 'sorting') || (has(frame, 'cheaper') && which.by === 'it'))
    return null
  // "Could I see those in blue" asks for others.
  if (which.by === 'it' && has(frame, 'them') && Object.keys(frame.options).length > 0) return null
  if (which.by === 'it') return has(frame, 'show') && !isRefining(frame) ? { action: 'show', which } : null
  const isOne = spoken.shown.length > 0 && has(frame, 'one') && has(frame, 'the')
  const isOrdering = (frame.query !== '' && !isOne) || hasTerms(frame.terms) || has(frame, 'sorting')
  if (which.by === 'extreme' && isOrdering) return null
  const { quantity, options } = frame
  const isAdjusting =
    quantity !== null ||
    has(frame, 'change') ||
    (has(frame, 'rather', 'no') && spoken.hasSubject && !has(frame, 'show'))
  if (isAdjusting)
    return { action: 'adjust', ...(quantity !== null && { quantity }), ...optionsOf(options), which }
  return { action: 'show', which, ...optionsOf(options) }
}

/** A change of the last search, or of what is about to be bought. */
function changed(frame: Frame, spoken: Spoken): Wish | null {
  const { query, options, quantity, terms, extreme } = frame
  if (query !== '' && !isAside(frame, spoken)) return null
  const hasOptions = Object.keys(options).length > 0
  const sort =
    terms.sort ??
    sorting(frame) ??
    (has(frame, 'cheap') && !has(frame, 'cheaper') ? 'price' : extreme === null ? undefined : sortOf[extreme])
  const isOnlyAdjusting =
    !hasTerms(terms) &&
    !has(frame, 'cheaper', 'more', 'cheap', 'search', 'show', 'sorting') &&
    extreme === null
  if (isOnlyAdjusting && (quantity !== null || (hasOptions && (spoken.hasSubject || has(frame, 'change'))))) {
    return { action: 'adjust', ...(quantity !== null && { quantity }), ...optionsOf(options) }
  }
  if (!hasOptions && !isRefining(frame) && extreme === null && sort === undefined) return null
  return {
    action: 'refine',
    ...(has(frame, 'cheaper') && { cheaper: true as const }),
    ...(has(frame, 'more') &&
      !has(frame, 'cheaper') &&
      !hasOptions &&
      !hasTerms(terms) && { more: true as const }),
    ...optionsOf(options),
    ...terms,
    ...(sort && { sort }),
  }
}

/** Words that change nothing: an exclamation ("uff, zu teuer"), or the name of what was shown ("cheaper kettles"). */
function isAside(frame: Frame, spoken: Spoken): boolean {
  if (has(frame, 'search', 'need', 'show') && !matchesShown(frame.query, spoken)) return false
  const isFew = frame.query.split(' ').length < 3
  if (spoken.shown.length > 0 && isFew && (has(frame, 'cheaper', 'more', 'sorting') || frame.terms.sort))
    return true
  const counted = frame.units.findIndex(({ tag }) => tag === 'quantity')
  const after = frame.units[counted + 1]?.tag
  return spoken.hasSubject && isFew && counted >= 0 && after !== 'content' && after !== 'product'
}

/** "Sort them by rating." */
function sorting(frame: Frame): Terms['sort'] | undefined {
  if (!has(frame, 'sorting')) return undefined
  if (frame.extreme !== null) return sortOf[frame.extreme]
  return has(frame, 'rating') ? 'rating' : has(frame, 'delivery') ? 'delivery' : 'price'
}

const sortOf = {
  cheapest: 'price',
  dearest: 'price_descending',
  best_rated: 'rating',
  fastest: 'delivery',
} as const

function search(frame: Frame, spoken: Spoken): Wish | null {
  const { query, options, quantity, terms, extreme } = frame
  if (query === '' || isNoise(query)) return null
  if (spoken.asked === 'whether' && has(frame, 'yes') && !has(frame, 'search', 'need', 'show'))
    return { action: 'yes' }
  if (has(frame, 'thank') && query.split(' ').length < 3 && !has(frame, 'search', 'need', 'show'))
    return { action: 'thank' }
  if (has(frame, 'help') && !has(frame, 'search', 'need')) return { action: 'help' }
  if (isPersonal(frame) && !has(frame, 'search', 'need', 'show', 'a')) return { action: 'refuse' }
  const sort =
    terms.sort ?? (extreme !== null ? sortOf[extreme] : has(frame, 'cheap', 'cheaper') ? 'price' : undefined)
  return {
    action: 'search',
    query,
    ...optionsOf(options),
    ...(quantity !== null && { quantity }),
    ...terms,
    ...(sort && { sort }),
  }
}

function isPersonal({ units }: Frame): boolean {
  return units.some(({ value }) => value === 'yourself')
}

function manners(frame: Frame, spoken: Spoken): Wish {
  if (has(frame, 'help')) return { action: 'help' }
  if (has(frame, 'no')) {
    const first = frame.units.find(({ tag }) => tag === 'yes' || tag === 'no')
    return { action: first?.tag === 'no' ? 'no' : 'unclear' }
  }
  if (has(frame, 'not', 'oops')) return { action: 'unclear' }
  const order =
    spoken.asked === 'whether' ? (['yes', 'thank', 'greet'] as const) : (['thank', 'yes', 'greet'] as const)
  const isGreeting = frame.units[0]?.tag === 'greet' && spoken.asked === null && !has(frame, 'thank')
  if (isGreeting) return { action: 'greet' }
  for (const action of order) if (has(frame, action)) return { action }
  // "Tu supportes quelle équipe ?" asks the agent about itself.
  if (isPersonal(frame)) return { action: 'refuse' }
  return { action: 'unclear' }
}

function isRefining(frame: Frame): boolean {
  return hasTerms(frame.terms) || has(frame, 'cheaper', 'more', 'cheap')
}

function hasTerms(terms: Terms): boolean {
  return Object.keys(terms).length > 0
}

function optionsOf(options: Options): { options?: Options } {
  return Object.keys(options).length > 0 ? { options } : {}
}

/** Keys that were hit without a word in mind: no vowel, or one letter again and again. */
function isNoise(query: string): boolean {
  const letters = query.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '')
  if (!/[\p{L}\p{N}]/u.test(letters)) return true
  if (/^[a-z]+$/.test(letters) && letters.length > 4 && !/[aeiouy]/.test(letters)) return true
  return /^(?:asdf|qwer|hjkl|jkl|sdf|qwertz|lorem)/.test(letters) || /^(.)\1{3,}$/u.test(letters)
}
