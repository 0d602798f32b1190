import type { CallContext } from '../../../contract/context.ts'
import { Problem } from '../../../contract/problem.ts'
import { WalletKeepers, type WalletTokens } from './port.ts'
import { openDevice, openTokens, sealTokens } from './seal-tokens.ts'
import { endWallet, openWallet, selectWalletOfProfile } from './wallets.sql.ts'

const callMs = 3_500
/** Its tokens are renewed so long before they end. */
const renewalMarginSeconds = 120

type Named = { readonly profileId: string; readonly id: string }

/** A wallet as a payment method names it: its rail, the wallet, and what the wallet pays with. */
type SignedIn = { readonly rail: string; readonly customer: string; readonly method: string }

/**
 * The wallet that a person has signed us in to, as its rail says at this moment. A refusal that is answered must be committed: the rail gives
 * out the tokens of a sign-in once.
 */
export async function readSignedIn(
  ctx: CallContext,
  { profileId, id }: Named,
): Promise<{ readonly kind: 'signed_in'; readonly wallet: SignedIn } | Problem> {
  const { accountId: account_id, mode } = ctx.tenant
  const keeper = ctx.port(WalletKeepers)
  const row = await ctx.reads.maybe(selectWalletOfProfile({ account_id, mode, profile_id: profileId, id }))
  if (row === null || row.rail !== keeper.rail) throw new Problem('not_found', { param: 'wallet_sign_in_id' })
  const given = row.state === 'open' ? null : await finish(ctx, openDevice(ctx.sealer, row.sealed, id))
  const { access } = given ?? openTokens(ctx.sealer, row.sealed, id)
  const read = await keeper.methodOf(access, { mode, timeoutMs: callMs })
  if (given !== null) {
    const sealed = sealTokens(ctx.sealer, given, id)
    ctx.tx.write(
      openWallet({ account_id, mode, id, sealed, renew_at: renewAt(given, ctx.now), now: ctx.now }),
    )
  }
  if (read.kind === 'away') return away()
  if (read.method === null) return new Problem('wallet_is_empty')
  return {
    kind: 'signed_in',
    wallet: { rail: row.rail, customer: walletName(account_id, id), method: read.method },
  }
}

async function finish(ctx: CallContext, device: string): Promise<WalletTokens> {
  const said = await ctx.port(WalletKeepers).finish(device, { mode: ctx.tenant.mode, timeoutMs: callMs })
  switch (said.kind) {
    case 'away':
      throw away()
    case 'open':
      throw new Problem('wallet_not_signed_in')
    case 'over':
      throw new Problem('wallet_sign_in_over')
    case 'signed_in':
      return said.tokens
    default:
      return said satisfies never
  }
}

function away(): Problem {
  return new Problem('unavailable', { headers: { 'retry-after': '1' } })
}

export function renewAt({ seconds }: WalletTokens, now: Date): Date {
  return new Date(now.getTime() + (seconds - renewalMarginSeconds) * 1000)
}

/** Ids are unique in their account alone, and a rail asks for the tokens of a wallet by one name. */
function walletName(accountId: string, id: string): string {
  return `${accountId}:${id}`
}

/** Null: it is no such name. */
export function partsOfName(name: string): { accountId: string; id: string } | null {
  const [accountId, id, ...more] = name.split(':')
  return accountId === undefined || id === undefined || more.length > 0 ? null : { accountId, id }
}

/** Signs us out at the rail, and then here. Throws where the rail does not answer: nothing has changed then. */
export async function signOutOf(
  ctx: CallContext,
  { profileId, name }: { profileId: string; name: string },
): Promise<void> {
  const { accountId: account_id, mode } = ctx.tenant
  const id = partsOfName(name)?.id ?? ''
  const row = await ctx.reads.maybe(selectWalletOfProfile({ account_id, mode, profile_id: profileId, id }))
  if (row?.state !== 'open') return
  const { refresh } = openTokens(ctx.sealer, row.sealed, id)
  // guard wallets-are-signed-out: of a wallet that was deleted here no token is good any more
  const said = await ctx.port(WalletKeepers).signOut(refresh, { mode, timeoutMs: callMs })
  if (said.kind === 'away') throw away()
  ctx.tx.write(endWallet({ account_id, mode, id, now: ctx.now }))
}
