/** What a cart waits for inside its status, or what is left to do for it. Its columns keep it, and a constraint of the table says which go together. */
type Stage =
  | { readonly kind: 'none' }
  /** The merchant has not answered so many times, the last time `since`. */
  | ({ readonly kind: 'offer' } & Asking)
  /** Our own browser has had no room for the cart `since`, so many times in a row. The merchant was not asked, which is no try. */
  | ({ readonly kind: 'room'; readonly until: Date; readonly count: number } & Asking)
  | ({ readonly kind: 'sign_in' } & SignInWait)
  /** The rail cannot be called since `since`, and nothing is held yet. */
  | { readonly kind: 'rail'; readonly since: Date }
  /** It has ended, and may still hold an authorization or an open effect. Execution ends this stage. */
  | { readonly kind: 'cleanup' }

type Asking = {
  readonly tries: number
  readonly since: Date
  readonly signIn: SubmittedTicket | null
}

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

/** The stage as a row has it. Null: it has no such part. */
export type StageColumns = {
  stage: Exclude<Stage['kind'], 'none'> | null
  stage_since: Date | null
  stage_until: Date | null
  offer_tries: number | null
  room_tries: number | null
  sign_in_host: string | null
  code_until: Date | null
  /** The page that waits for a code, or for what is in the ticket. */
  page_session: string | null
  credential_ticket_id: string | null
}

const none: StageColumns = {
  stage: null,
  stage_since: null,
  stage_until: null,
  offer_tries: null,
  room_tries: null,
  sign_in_host: null,
  code_until: null,
  page_session: null,
  credential_ticket_id: null,
}

/** Every column, so that nothing of the stage before stays. */
export function atStage(stage: Stage): StageColumns {
  switch (stage.kind) {
    case 'none':
      return none
    case 'offer':
      return { ...none, stage: 'offer', ...columnsOfAsking(stage) }
    case 'room': {
      const { until, count } = stage
      return {
        ...none,
        stage: 'room',
        ...columnsOfAsking(stage),
        stage_until: until,
        room_tries: count,
      }
    }
    case 'sign_in': {
      const { until, host, code } = stage
      return {
        ...none,
        stage: 'sign_in',
        stage_until: until,
        sign_in_host: host,
        code_until: code?.until ?? null,
        page_session: code?.session ?? null,
      }
    }
    case 'rail':
      return { ...none, stage: 'rail', stage_since: stage.since }
    case 'cleanup':
      return { ...none, stage: 'cleanup' }
    default:
      return stage satisfies never
  }
}

function columnsOfAsking({ tries, since, signIn }: Asking) {
  return {
    stage_since: since,
    offer_tries: tries,
    credential_ticket_id: signIn?.ticket ?? null,
    page_session: signIn?.session ?? null,
  }
}

export function stageOf(row: StageColumns): Stage {
  switch (row.stage) {
    case null:
      return { kind: 'none' }
    case 'offer':
      return { kind: 'offer', ...askingOf(row) }
    case 'room': {
      const { stage_until: until, room_tries: count } = row
      return { kind: 'room', ...askingOf(row), until: known(until), count: known(count) }
    }
    case 'sign_in': {
      const { stage_until: until, sign_in_host: host, code_until: codeUntil, page_session: session } = row
      const code = codeUntil === null ? null : { until: codeUntil, session: known(session) }
      return { kind: 'sign_in', until: known(until), host, code }
    }
    case 'rail':
      return { kind: 'rail', since: known(row.stage_since) }
    case 'cleanup':
      return { kind: 'cleanup' }
    default:
      return row.stage satisfies never
  }
}

function askingOf({
  offer_tries: tries,
  stage_since: since,
  credential_ticket_id: ticket,
  page_session: session,
}: StageColumns): Asking {
  return {
    tries: known(tries),
    since: known(since),
    signIn: ticket === null ? null : { ticket, session },
  }
}

function known<Part>(part: Part | null): Part {
  if (part === null) throw new Error('a stage of a cart lacks one of its parts')
  return part
}
