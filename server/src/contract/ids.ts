import type { Id, IdPrefix } from '../core/id.ts'

/** What the ids of one prefix name. */
export type IdFacts = {
  /** With its article: `an order`. */
  readonly names: string
  /**
   * Ids of parts, which can only be reached through their whole, or of objects that everybody can read: an agent of one profile may name
   * any.
   */
  readonly isOpen?: true
  /** The interface has it, and nothing makes one yet. */
  readonly isReserved?: true
}

export function defineIds<const Ids extends Readonly<Record<string, IdFacts>>>(ids: Ids): Ids {
  return ids
}

/** The prefix of what an agent can be bound to. The slice that has profiles says it, by declaration merging in its `ids.ts`. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by the slice
export interface ProfilePrefixes {}

export type ProfileId = Id<keyof ProfilePrefixes & IdPrefix>

/** The prefix of people who sign in: said by the slice that has them, in the same way. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by the slice
export interface PersonPrefixes {}

export type PersonId = Id<keyof PersonPrefixes & IdPrefix>
