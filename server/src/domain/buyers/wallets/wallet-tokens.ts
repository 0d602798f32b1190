import type { Tenant } from '../../../contract/context.ts'
import type { Id } from '../../../core/id.ts'
import { type ActingParts, runAs } from '../../../platform/calls/run-as.ts'
import type { TokenOfWallet, WalletKeeper, WalletTokensAtHand } from './port.ts'
import { openTokens, sealTokens } from './seal-tokens.ts'
import { partsOfName, renewAt } from './signed-in-wallet.ts'
import {
  claimRenewal,
  endWallet,
  releaseRenewal,
  renewWallet,
  selectOpenWallet,
  type WalletRow,
} from './wallets.sql.ts'

/** As long as a renewal can be under way. */
const renewalSeconds = 30

/** No transaction is open while the rail is asked: a claim on the row keeps two processes from renewing the same token. */
export function openWalletTokens(parts: ActingParts, keeper: WalletKeeper): WalletTokensAtHand {
  return {
    async tokenOf(wallet, asked, refused) {
      const named = partsOfName(wallet)
      if (named === null) return { kind: 'ended' }
      const tenant: Tenant = { accountId: named.accountId as Id<'acct'>, mode: asked.mode } // as it was named
      const of = { account_id: tenant.accountId, mode: asked.mode, id: named.id }
      const sealer = parts.sealer(tenant)
      const acting = { tenant, actor: { type: 'system', id: 'wallets' } } as const
      const read = await runAs(parts, acting, async (ctx) => {
        const row = await ctx.tx.maybe(selectOpenWallet(of))
        if (row === null) return { kind: 'ended' } as const
        const tokens = openTokens(sealer, row.sealed, named.id)
        if (ctx.now < row.renew_at && tokens.access !== refused)
          return { kind: 'token', token: tokens.access } as const
        const until = new Date(ctx.now.getTime() + renewalSeconds * 1000)
        const claimed = await ctx.tx.maybe(claimRenewal({ ...of, sealed: row.sealed, until, now: ctx.now }))
        return claimed === null ? ({ kind: 'away' } as const) : ({ kind: 'claimed', row } as const)
      })
      if (read.kind !== 'claimed') return read
      return await renew(read.row)

      /** A crash between the answer and our row loses the tokens: then its person signs in again. */
      async function renew({ sealed }: WalletRow): Promise<TokenOfWallet> {
        const said = await keeper.renew(openTokens(sealer, sealed, of.id).refresh, asked)
        await runAs(parts, acting, async ({ tx, now }) => {
          if (said.kind === 'away') return tx.write(releaseRenewal(of))
          if (said.kind === 'ended') return tx.write(endWallet({ ...of, now }))
          const { tokens } = said
          tx.write(
            renewWallet({
              ...of,
              sealed: sealTokens(sealer, tokens, of.id),
              renew_at: renewAt(tokens, now),
              now,
            }),
          )
        })
        return said.kind === 'renewed' ? { kind: 'token', token: said.tokens.access } : said
      }
    },
  }
}
