import {
  cleanText,
  cleanTexts,
  type DocumentFault,
  Faults,
  isObject,
  type JsonObject,
  member,
  membersOf,
} from '../foreign-document.ts'
import { endpointOf, isMethodName, offersOfEndpoint, type PaidOperation } from './paid-operation.ts'

/** What a site says about the ways in which it is paid over MPP. */
export type MppOffer = {
  readonly name: string | null
  /** Where its paid operations are served from. */
  readonly serviceUrl: string | null
  readonly methods: readonly string[]
  /** Names of cards, tokens and types of instruments, as the site writes them. */
  readonly instruments: readonly string[]
  readonly operations: readonly PaidOperation[]
  readonly categories: readonly string[]
}

export type MppReading = { readonly offer: MppOffer | null; readonly faults: readonly DocumentFault[] }

const operationsMax = 200
const methodsMax = 30

/**
 * Reads a `mpp.json`. No specification says what it looks like, so all shapes in use are read: the entry of a registry, lists of
 * `method/intent`, and lists of objects. It never throws, whatever the document is.
 */
export function readManifest(document: unknown, { origin }: { origin: string }): MppReading {
  const faults = new Faults()
  if (!isObject(document)) {
    faults.error(
      [],
      'This is not a manifest: it is not a JSON object.',
      'Serve an object with methods and endpoints.',
    )
    return { offer: null, faults: faults.found }
  }
  const operations = operationsOf(document, origin, faults)
  const declared = methodsOf(document)
  const methods = unique([
    ...declared,
    ...operations.flatMap(({ offers }) => offers.map(({ method }) => method)),
  ]).slice(0, methodsMax)
  if (methods.length === 0) {
    faults.error(
      [],
      'No payment method is named.',
      'Name each method, for example "methods": {"stripe": {"intents": ["charge"]}}.',
    )
    return { offer: null, faults: faults.found }
  }
  if (operations.length === 0)
    faults.warn(
      ['endpoints'],
      'No paid endpoint is named.',
      'List endpoints, each with method, path and payment, or serve /openapi.json with x-payment-info.',
    )
  const serviceUrl = cleanText(member(document, 'serviceUrl'), 2000)
  return {
    offer: {
      name: cleanText(member(document, 'name'), 255) ?? cleanText(member(document, 'service'), 255),
      serviceUrl: serviceUrl === null ? null : (URL.parse(serviceUrl)?.href ?? null),
      methods,
      instruments: instrumentsOf(document),
      operations,
      categories: categoriesOf(member(document, 'categories')),
    },
    faults: faults.found,
  }
}

/** Free words that a site files itself under, in lower case. */
export function categoriesOf(value: unknown): string[] {
  return unique(cleanTexts(value, { max: 10, each: 100 }).map((category) => category.trim().toLowerCase()))
}

export function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)].filter((text) => text !== '')
}

/** `stripe` of `stripe/charge`. */
function methodNamed(value: unknown): string[] {
  const name = cleanText(value, 100)?.split('/')[0] ?? ''
  return isMethodName(name) ? [name] : []
}

function methodsOf(document: JsonObject): string[] {
  const methods = member(document, 'methods')
  const purchase = member(document, 'purchase')
  const lists = [
    isObject(methods) ? membersOf(methods).map(([name]) => name) : methods,
    member(document, 'paymentMethods'),
    isObject(purchase) ? member(purchase, 'payment_methods') : undefined,
  ]
  return unique(
    lists.flatMap((list: unknown) =>
      (Array.isArray(list) ? list.slice(0, methodsMax) : []).flatMap((one: unknown) =>
        methodNamed(isObject(one) ? member(one, 'method') : one),
      ),
    ),
  )
}

function instrumentsOf(document: JsonObject): string[] {
  const methods = member(document, 'methods')
  const described = [
    ...(isObject(methods) ? membersOf(methods).map(([, facts]) => facts) : []),
    ...(Array.isArray(methods) ? methods : []),
    ...arrayOf(member(document, 'paymentMethods')),
  ].slice(0, methodsMax)
  return unique(
    described.flatMap((one: unknown) =>
      isObject(one)
        ? ['instruments', 'assets', 'paymentMethodTypes', 'acceptedNetworks'].flatMap((name) =>
            cleanTexts(member(one, name), { max: 20, each: 100 }),
          )
        : [],
    ),
  ).slice(0, 50)
}

function arrayOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

function operationsOf(document: JsonObject, origin: string, faults: Faults): PaidOperation[] {
  const endpoints = member(document, 'endpoints')
  const base = cleanText(member(document, 'serviceUrl'), 2000) ?? origin
  const listed = arrayOf(endpoints).slice(0, operationsMax)
  return listed.flatMap((endpoint: unknown, index): PaidOperation[] => {
    if (!isObject(endpoint)) return []
    const payment = member(endpoint, 'payment')
    if (payment === undefined || payment === null) return []
    const at = ['endpoints', index]
    const offers = offersOfEndpoint(payment, [...at, 'payment'], faults)
    const place = endpointOf(endpoint, { base, origin })
    if (place === null)
      faults.warn(
        at,
        'The endpoint has no method and path.',
        'Name the HTTP method, and a path that begins with a slash.',
      )
    return place === null || offers.length === 0 ? [] : [{ ...place, offers }]
  })
}
