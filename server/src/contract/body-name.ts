import type { OperationFacts } from './operation.ts'

/**
 * What the document calls the body of an operation that has no name of its own: `v1_create_rate_card` takes a `RateCardCreate`, so that
 * generated types are short and read like those that are named by hand.
 */
export function bodyName({ id }: Pick<OperationFacts, 'id'>): string {
  const [verb = '', ...noun] = id.replace(/^v1_/, '').split('_')
  return [...noun, verb].map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}
