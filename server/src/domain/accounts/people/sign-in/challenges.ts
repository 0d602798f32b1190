import type { CallContext } from '../../../../contract/context.ts'
import type { Id } from '../../../../core/id.ts'
import { insertChallenge, selectChallenge, takeChallenge } from './sign-ins.sql.ts'

/** How long a person has to answer the browser. */
const challengeMinutes = 5

type Asked = {
  readonly purpose: 'sign_in' | 'passkey' | 'step_up'
  /** The session that is asked; null: nobody has signed in yet. */
  readonly session: Buffer | null
  /** Of a step-up: what is confirmed. */
  readonly digest?: Buffer
}

type AskedChallenge = { readonly id: Id<'chal'>; readonly expiresAt: Date }

/** Keeps what a browser is asked to sign, as its options have it. */
export function keepChallenge(
  ctx: Pick<CallContext, 'tx' | 'now' | 'newId'>,
  { challenge }: { readonly challenge: string },
  asked: Asked,
): AskedChallenge {
  const id = ctx.newId('chal')
  const expires_at = new Date(ctx.now.getTime() + challengeMinutes * 60_000)
  ctx.tx.write(insertChallenge({ id, challenge, ...columnsOf(asked), created_at: ctx.now, expires_at }))
  return { id, expiresAt: expires_at }
}

/** What the browser was asked to sign, once; null: it was asked nothing that is still open. */
export async function openChallenge(
  { tx, now }: Pick<CallContext, 'tx' | 'now'>,
  id: string,
  asked: Asked,
): Promise<string | null> {
  return (await tx.maybe(takeChallenge({ id, ...columnsOf(asked), now })))?.challenge ?? null
}

/** The same, without using it up. */
export async function readChallenge(
  { reads }: Pick<CallContext, 'reads'>,
  id: string,
  asked: Asked,
): Promise<string | null> {
  return (await reads.maybe(selectChallenge({ id, ...columnsOf(asked) })))?.challenge ?? null
}

function columnsOf({ purpose, session, digest }: Asked) {
  return { purpose, session_hash: session, digest: digest ?? null }
}
