/** What a shop knows of somebody at its wall. */
export type Standing = 'nobody' | 'refused' | 'code_sent' | 'signed_in'

/** That somebody has typed something, and never what: the ticket by which it was passed on, and whether it is the code that was asked for. */
export type SignIn = { readonly ticket: string; readonly isCode: boolean }

/** By cart. */
export type SignIns = {
  /** The first ticket, where the shop has refused it. */
  readonly refused: Map<string, string>
  readonly signedIn: Set<string>
}

/** What comes of a sign-in at a shop with these walls. */
export function standingOf(
  { cartKey, signIn }: { cartKey: string; signIn: SignIn | null },
  walls: ReadonlySet<string>,
  { refused, signedIn }: SignIns,
): Standing {
  if (signedIn.has(cartKey)) return 'signed_in'
  if (signIn === null) return 'nobody'
  const first = refused.get(cartKey)
  if (walls.has('sign_in_refused') && (first === undefined || first === signIn.ticket)) return 'refused'
  return walls.has('sign_in_code') && !signIn.isCode ? 'code_sent' : 'signed_in'
}
