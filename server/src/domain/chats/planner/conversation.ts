import { isObject } from '../../../schema/schema-node.ts'
import type { PurchaseSummary } from '../parts.ts'
import { adjust, buy, yes } from './buy-product.ts'
import { compare, found } from './found-products.ts'
import type { Doing } from './memory.ts'
import { refine, searchProducts } from './search-products.ts'
import { detail } from './show-product.ts'
import type { Call, Heard, Talk, Wanted } from './talk.ts'
import { aboutPurchase, purchaseHeard, tell } from './tell-purchases.ts'

/** Goes on with the wishes that are left, until one of them needs an operation. */
export function goOn(talk: Talk): Call[] {
  for (;;) {
    const [wish, ...todo] = talk.memory.todo
    if (!wish) return []
    talk.remember({ todo, doing: null })
    const calls = take(talk, wish)
    if (calls.length > 0) return calls
  }
}

/** What was called has answered; purchases that were read are told as they stand. */
export function hear(talk: Talk, answers: readonly Heard[], purchases: readonly PurchaseSummary[]): Call[] {
  const { doing } = talk.memory
  const refused = answers.find(({ isError }) => isError)
  if (refused) talk.tell(talk.say.toolFailed(refusalText(refused.result)))
  else {
    const calls = doing ? heard(talk, doing, answers, purchases) : tell(talk, purchases)
    if (calls.length > 0) return calls
  }
  talk.remember({ doing: null })
  return goOn(talk)
}

function take(talk: Talk, wish: Wanted): Call[] {
  switch (wish.action) {
    case 'search':
      return searchProducts(talk, {
        ...wish,
        options: wish.options ?? {},
        quantity: wish.quantity ?? null,
        cursor: null,
      })
    case 'refine':
      return refine(talk, wish)
    case 'compare':
      return compare(talk, wish)
    case 'show':
      return detail(talk, wish)
    case 'buy':
      return buy(talk, wish)
    case 'adjust':
      return adjust(talk, wish)
    case 'yes':
      return yes(talk)
    case 'no':
      talk.remember({ asks: null, subject: null })
      return talk.tell(talk.say.fine)
    case 'follow':
    case 'why':
    case 'return':
    case 'cancel':
    case 'retry':
      return aboutPurchase(talk, wish)
    case 'greet':
    case 'thank':
    case 'help':
    case 'unclear':
      return talk.tell(talk.say[wish.action])
    case 'refuse':
      return talk.tell(talk.say.refused[wish.what ?? 'other'])
    default:
      return wish satisfies never
  }
}

function heard(
  talk: Talk,
  doing: Doing,
  answers: readonly Heard[],
  purchases: readonly PurchaseSummary[],
): Call[] {
  switch (doing.what) {
    case 'search':
    case 'refine':
    case 'more':
    case 'search_to_buy':
      return found(talk, doing, answers.at(-1)?.result)
    case 'return':
      return talk.tell(talk.say.cannotReturn(purchases[0]?.merchants.join(', ') ?? ''))
    default:
      return purchaseHeard(talk, doing, answers, purchases)
  }
}

/** The message of a refusal, as people can read it. */
function refusalText(result: unknown): string {
  const detail = isObject(result) ? result.detail : null
  if (isObject(detail) && typeof detail.message === 'string') return detail.message
  const [first] = Array.isArray(detail) ? detail : []
  return isObject(first) && typeof first.msg === 'string' ? first.msg : ''
}
