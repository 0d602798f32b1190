import type { Sealer } from '../../../../contract/context.ts'
import type { CartField } from './input-field.ts'

/** What a person has told of what a shop asked, as a row has it: the value is sealed, for whom it belongs to and where it may be typed. */
export type StoredAnswer = {
  readonly host: string
  readonly name: string
  readonly label: string
  /** The cart that was told. */
  readonly owner: string
  readonly sealed: string
}

/** `session`: the page of the shop that waits for them; null: none does. `asked`: how often the cart has asked. */
export type CartAnswers = {
  readonly given: readonly StoredAnswer[]
  readonly session: string | null
  readonly asked: number
}

const sealedAs = 'answer to a shop'

/** Bound to its owner, its host and its name: copied to another one of these it does not open. */
function boundTo({ owner, host, name }: Pick<StoredAnswer, 'owner' | 'host' | 'name'>): string {
  return `${owner} ${host} ${name}`
}

export function storedAnswer(
  sealer: Sealer,
  owner: string,
  { name, label, host = '' }: CartField,
  value: string,
): StoredAnswer {
  const sealed = sealer.seal(value, sealedAs, boundTo({ owner, host, name }))
  return { host, name, label, owner, sealed: sealed.toString('base64') }
}

/** For the call to the shop alone. */
export function openAnswers(
  sealer: Sealer,
  answers: CartAnswers | null,
): { given: { host: string; name: string; value: string }[]; session: string | null } | null {
  if (answers === null) return null
  const given = answers.given.map(({ host, name, owner, sealed }) => ({
    host,
    name,
    value: sealer.open(Buffer.from(sealed, 'base64'), sealedAs, boundTo({ owner, host, name })),
  }))
  return { given, session: answers.session }
}
