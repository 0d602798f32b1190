import {
  cleanText,
  Faults,
  isObject,
  type JsonObject,
  member,
  membersOf,
  type Path,
} from '../foreign-document.ts'
import { categoriesOf, type MppReading, unique } from './manifest.ts'
import { endpointOf, offersOfEndpoint, type PaidOperation } from './paid-operation.ts'

const httpMethods = ['get', 'head', 'post', 'put', 'patch', 'delete'] as const
const operationsMax = 200

/**
 * Reads the paid operations of an OpenAPI document: those with `x-payment-info`. A document without any is about an ordinary API, which
 * is no fault; then there is no offer. It never throws, whatever the document is.
 */
export function readPaidOpenApi(document: unknown, { origin }: { origin: string }): MppReading {
  const faults = new Faults()
  const version = isObject(document) ? cleanText(member(document, 'openapi'), 20) : null
  if (!isObject(document) || version === null) {
    faults.error([], 'This is not an OpenAPI document: it has no `openapi`.', 'Serve OpenAPI 3 as JSON.')
    return { offer: null, faults: faults.found }
  }
  const operations = operationsOf(document, origin, faults)
  if (operations.length === 0) return { offer: null, faults: faults.found }
  if (!version.startsWith('3.'))
    faults.warn(['openapi'], 'The document does not follow OpenAPI 3.', 'Serve it as OpenAPI 3.0 or 3.1.')
  const info = member(document, 'info')
  const service = member(document, 'x-service-info')
  return {
    offer: {
      name: isObject(info) ? cleanText(member(info, 'title'), 255) : null,
      serviceUrl: null,
      methods: unique(operations.flatMap(({ offers }) => offers.map(({ method }) => method))),
      instruments: [],
      operations,
      categories: isObject(service) ? categoriesOf(member(service, 'categories')) : [],
    },
    faults: faults.found,
  }
}

function operationsOf(document: JsonObject, origin: string, faults: Faults): PaidOperation[] {
  const paths = member(document, 'paths')
  const base = baseOf(document, origin)
  const found: PaidOperation[] = []
  for (const [path, item] of isObject(paths) ? membersOf(paths, 1000) : []) {
    if (!isObject(item)) continue
    for (const method of httpMethods) {
      const operation = member(item, method)
      const payment = isObject(operation) ? member(operation, 'x-payment-info') : undefined
      if (!isObject(operation) || payment === undefined || found.length === operationsMax) continue
      const at = ['paths', path, method]
      const offers = offersOfEndpoint(payment, [...at, 'x-payment-info'], faults)
      const place = endpointOf({ method, path }, { base, origin })
      checkPaid(operation, at, faults)
      if (place === null || offers.length === 0) continue
      const isOpen = needsNothing(item) && needsNothing(operation)
      found.push({ ...place, url: isOpen ? place.url : null, offers })
    }
  }
  return found
}

function baseOf(document: JsonObject, origin: string): string {
  const servers: unknown = member(document, 'servers')
  const first: unknown = Array.isArray(servers) ? servers[0] : undefined
  const url = isObject(first) ? cleanText(member(first, 'url'), 2000) : null
  return url === null ? origin : (URL.parse(url, origin)?.href ?? origin)
}

/** Clients learn from the document that they may be asked to pay. */
function checkPaid(operation: JsonObject, at: Path, faults: Faults): void {
  const responses = member(operation, 'responses')
  if (isObject(responses) && member(responses, '402') !== undefined) return
  faults.warn(
    [...at, 'responses'],
    'A paid operation declares no answer 402.',
    'Add "402": {"description": "Payment required"} to its responses.',
  )
}

/** Whether it can be called with nothing but its path. */
function needsNothing(holder: JsonObject): boolean {
  const parameters: unknown = member(holder, 'parameters')
  if (parameters === undefined) return true
  return (
    Array.isArray(parameters) &&
    parameters.every(
      (one: unknown) =>
        isObject(one) && member(one, 'required') !== true && member(one, '$ref') === undefined,
    )
  )
}
