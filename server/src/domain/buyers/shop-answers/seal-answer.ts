import type { Sealer } from '../../../contract/context.ts'

/** Whose it is, the exact host that it may be said to, and the name of its field: copied to another one of these it does not open. */
type Bound = { readonly owner: string; readonly host: string; readonly name: string }

const sealedAs = 'answer to a shop'

export function sealAnswer(sealer: Sealer, bound: Bound, value: string): string {
  return sealer.seal(value, sealedAs, idOf(bound)).toString('base64')
}

export function openAnswer(
  sealer: Sealer,
  { sealed, ...bound }: Bound & { readonly sealed: string },
): string {
  return sealer.open(Buffer.from(sealed, 'base64'), sealedAs, idOf(bound))
}

function idOf({ owner, host, name }: Bound): string {
  return `${owner} ${host} ${name}`
}
