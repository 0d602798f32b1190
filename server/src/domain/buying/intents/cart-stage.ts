/** The position of a cart inside its status, as its `stage` column keeps it. */
type Stage =
  | { readonly kind: 'none' }
  /** The merchant is asked for an offer, after so many times that it did not answer. */
  | {
      readonly kind: 'offer'
      readonly tries: number
      readonly at: Date
      readonly signIn: SubmittedTicket | null
      readonly noRoom: NoRoom | null
    }
  | ({ readonly kind: 'sign_in' } & SignInWait)
  /** The rail cannot be called since `since`, and nothing is held yet. */
  | { readonly kind: 'rail'; readonly since: Date }

/** Our own browser has had no room for the cart `since`, so many times in a row. The merchant was not asked, which is no try. */
type NoRoom = { readonly since: Date; readonly until: Date; readonly count: number }

/** A ticket that was redeemed for the cart. Whether it can still be opened, the vault alone knows. */
export type SubmittedTicket = {
  readonly ticket: string
  /** The page that waits for what is in it; null: the way begins anew. */
  readonly session: string | null
}

/** A cart that waits for a person at a sign-in. */
export type SignInWait = {
  readonly until: Date
  /** The exact host that asks; null: the way of buying does not say. */
  readonly host: string | null
  /** The merchant has sent a code to its customer, and its page stays open for that code for a while. */
  readonly code: { readonly until: Date; readonly session: string } | null
}

export function offerStage(
  tries: number,
  at: Date,
  signIn: SubmittedTicket | null = null,
  noRoom: NoRoom | null = null,
): string {
  const submitted = signIn === null ? [] : [signIn.ticket, signIn.session ?? nothing]
  const put = noRoom && [noRoom.since.toISOString(), noRoom.until.toISOString(), noRoom.count]
  return [put === null ? 'offer' : 'room', tries, at.toISOString(), ...(put ?? []), ...submitted].join(' ')
}

export function signInStage({ until, host, code }: SignInWait): string {
  const open = code === null ? [] : [code.until.toISOString(), code.session]
  return ['sign_in', until.toISOString(), host ?? nothing, ...open].join(' ')
}

export function railStage(since: Date): string {
  return `rail ${since.toISOString()}`
}

export function parseStage(stage: string | null): Stage {
  const [kind, first = '', second = '', third = '', fourth = '', ...rest] = (stage ?? '').split(' ')
  if (kind === 'offer' || kind === 'room') {
    const [count = '', ticket = '', session = ''] = kind === 'room' ? rest : ['', third, fourth]
    const noRoom =
      kind === 'room' ? { since: new Date(third), until: new Date(fourth), count: Number(count) } : null
    const signIn = ticket === '' ? null : { ticket, session: known(session) }
    return { kind: 'offer', tries: Number(first), at: new Date(second), signIn, noRoom }
  }
  if (kind === 'sign_in') {
    const code = fourth === '' ? null : { until: new Date(third), session: fourth }
    return { kind: 'sign_in', until: new Date(first), host: known(second), code }
  }
  if (kind === 'rail') return { kind: 'rail', since: new Date(first) }
  return { kind: 'none' }
}

/** Stands where a part of a stage has no value, so that the others keep their places. */
const nothing = '-'

function known(part: string): string | null {
  return part === nothing || part === '' ? null : part
}
