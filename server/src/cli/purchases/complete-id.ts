import { CommandFailure } from '../failure.ts'
import type { ProductApi } from './product-api.ts'

const idLength = 26
/** Of the newest only: what is older is named in full. */
const lookedAtMax = 200
const shownMax = 5

type Kind = {
  readonly prefix: string
  readonly list: string
  /** What a person calls it. */
  readonly noun: string
}

export const kinds = {
  purchase: { prefix: 'pi', list: '/v1/purchase_intents', noun: 'purchase' },
  order: { prefix: 'ord', list: '/v1/orders', noun: 'order' },
  received: { prefix: 'ord', list: '/v1/merchant/orders', noun: 'received order' },
  profile: { prefix: 'prof', list: '/v1/profiles', noun: 'profile' },
} as const satisfies Record<string, Kind>

/** An id that was typed in full, or only its beginning or its end, where one of the newest alone has it. */
export async function completeId(api: ProductApi, kind: Kind, given: string): Promise<string> {
  const { prefix, list, noun } = kind
  if (given.startsWith(`${prefix}_`) && given.length >= prefix.length + 1 + idLength)
    return encodeURIComponent(given)
  const { data }: { data: { id: string }[] } = await api.get(`${list}?limit=${lookedAtMax}`)
  const fitting = data.map(({ id }) => id).filter((id) => id.startsWith(given) || id.endsWith(given))
  const [only, second] = fitting
  if (only !== undefined && second === undefined) return only
  const which = `with the id ${given}, or with one that begins or ends so`
  throw new CommandFailure(
    only === undefined
      ? `There is no ${noun} in ${api.mode} mode ${which}.`
      : `More than one ${noun} has an id that begins or ends with ${given}: ${fitting.slice(0, shownMax).join(', ')}${fitting.length > shownMax ? ', …' : ''}. Type more of it.`,
  )
}
