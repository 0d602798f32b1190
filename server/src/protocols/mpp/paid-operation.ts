import { cleanText, type Faults, isObject, type JsonObject, member, type Path } from '../foreign-document.ts'

/** One way of paying for an operation. */
type Offer = {
  readonly intent: string
  readonly method: string
  /** In base units of the currency; null: it depends on the request. */
  readonly amount: string | null
  readonly currency: string | null
}

export type PaidOperation = {
  readonly method: string
  /** As it was declared, with its parameters. */
  readonly path: string
  /** The whole address on the site's own origin; null where it has parameters, or leads elsewhere. */
  readonly url: string | null
  readonly offers: readonly Offer[]
}

const methodPattern = /^[a-z][a-z0-9:_-]{0,63}$/
const intentPattern = /^[A-Za-z0-9-]{1,40}$/
const httpMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'])
const offersMax = 20

export function isMethodName(name: string): boolean {
  return methodPattern.test(name)
}

/** The ways of paying that are declared at an operation: a list in `offers`, or a single one in its place. */
export function offersOfEndpoint(payment: unknown, at: Path, faults: Faults): Offer[] {
  const listed = isObject(payment) ? member(payment, 'offers') : undefined
  const given: unknown[] = Array.isArray(listed) ? listed.slice(0, offersMax) : [payment]
  return given.flatMap((offer: unknown, index): Offer[] => {
    const where = Array.isArray(listed) ? [...at, 'offers', index] : at
    const read = isObject(offer) ? readOffer(offer, where, faults) : null
    if (read === null)
      faults.error(
        where,
        'The offer does not name a method and an intent.',
        'Name both, for example {"method": "stripe", "intent": "charge", "amount": "100", "currency": "usd"}.',
      )
    return read === null ? [] : [read]
  })
}

function readOffer(offer: JsonObject, at: Path, faults: Faults): Offer | null {
  const [method = '', slashed] = (cleanText(member(offer, 'method'), 100) ?? '').split('/')
  const intent = cleanText(member(offer, 'intent'), 40) ?? slashed ?? ''
  if (!isMethodName(method) || !intentPattern.test(intent)) return null
  const amount = member(offer, 'amount')
  const text = typeof amount === 'string' && /^\d{1,40}$/.test(amount) ? amount : null
  if (amount !== undefined && amount !== null && text === null)
    faults.warn(
      [...at, 'amount'],
      'The amount is not a text of digits.',
      'Write it in base units of the currency, as "100", or null where it depends on the request.',
    )
  return { intent, method, amount: text, currency: cleanText(member(offer, 'currency'), 100) }
}

/** Where an operation is. `base`: what its path is appended to. */
export function endpointOf(
  declared: JsonObject,
  { base, origin }: { base: string; origin: string },
): Omit<PaidOperation, 'offers'> | null {
  const method = (cleanText(member(declared, 'method'), 10) ?? '').toUpperCase()
  const path = cleanText(member(declared, 'path'), 1000)
  if (!httpMethods.has(method) || path?.startsWith('/') !== true) return null
  return { method, path, url: addressOf(path, base, origin) }
}

/** A path that begins like the base already has it: the sites that were read write it both ways. */
function addressOf(path: string, base: string, origin: string): string | null {
  if (/[{}:?#]/.test(path)) return null
  const root = URL.parse(base)
  if (root === null || root.origin !== origin) return null
  const prefix = root.pathname.replace(/\/+$/, '')
  const whole =
    prefix !== '' && (path === prefix || path.startsWith(`${prefix}/`)) ? path : `${prefix}${path}`
  const url = URL.parse(whole, origin)
  return url !== null && url.origin === origin ? url.href : null
}
