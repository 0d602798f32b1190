import { operations, product } from '../../src/composition.ts'

/** The operations that some key may call. What people alone may call, `domain/accounts/people` tries as a person. */
export const operationsOfKeys = operations.filter(
  ({ scope }) => scope === null || !product.scopes.facts.get(scope)?.isForPeople,
)
