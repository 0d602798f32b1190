/** What ids of one prefix name. */
export type IdFacts = {
  /** With its article: `an order`. */
  readonly names: string
  /** Of a part, which is asked for by its whole, or of what is published to everybody: an agent of one profile may name any. */
  readonly isOpen?: true
}

export function defineIds<const Ids extends Readonly<Record<string, IdFacts>>>(ids: Ids): Ids {
  return ids
}
