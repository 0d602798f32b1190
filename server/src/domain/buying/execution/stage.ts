/** The position of a cart inside its status, as its `stage` column keeps it. */
type Stage =
  | { readonly kind: 'none' }
  /** The merchant did not answer when asked for an offer. */
  | { readonly kind: 'offer'; readonly tries: number; readonly at: Date }
  | { readonly kind: 'sign_in'; readonly until: Date }
  /** The rail cannot be called since `since`, and nothing is held yet. */
  | { readonly kind: 'rail'; readonly since: Date }

export function offerStage(tries: number, at: Date): string {
  return `offer ${tries} ${at.toISOString()}`
}

export function signInStage(until: Date): string {
  return `sign_in ${until.toISOString()}`
}

export function railStage(since: Date): string {
  return `rail ${since.toISOString()}`
}

export function parseStage(stage: string | null): Stage {
  const [kind, first = '', second = ''] = (stage ?? '').split(' ')
  if (kind === 'offer') return { kind: 'offer', tries: Number(first), at: new Date(second) }
  if (kind === 'sign_in') return { kind: 'sign_in', until: new Date(first) }
  if (kind === 'rail') return { kind: 'rail', since: new Date(first) }
  return { kind: 'none' }
}
