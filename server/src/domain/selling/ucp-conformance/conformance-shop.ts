import type { ActingContext, CallContext, Reads, Tenant } from '../../../contract/context.ts'
import { Problem } from '../../../contract/problem.ts'
import { type CheckoutMerchant, forgetUntoldOrders, readBusiness } from '../checkouts/public.ts'
import { type KnownAddress, writeAddress } from './addresses.sql.ts'
import { type ShopNames, type ShopRow, selectShop, writeShop } from './shops.sql.ts'

/** Whether a merchant was made for the official suite. No other merchant's orders confirm themselves. */
export async function isConformanceShop(
  reads: Pick<Reads, 'maybe'>,
  { accountId: account_id, mode }: Tenant,
): Promise<boolean> {
  return (await reads.maybe(selectShop({ account_id, mode }))) !== null
}

/** The merchant that is called, with the names of the suite. Throws the 404. */
export async function requireShop(
  ctx: CallContext,
): Promise<{ readonly shop: ShopRow; readonly merchant: CheckoutMerchant }> {
  const { accountId: account_id, mode } = ctx.tenant
  const shop = await ctx.reads.maybe(selectShop({ account_id, mode }))
  if (!shop) throw new Problem('not_found')
  const business = await readBusiness(ctx)
  const variants = new Map(Object.entries(shop.names.variants))
  const options = new Map(Object.entries(shop.names.options))
  const names = {
    variantOf: (name: string) => variants.get(name) ?? name,
    nameOfOption: (id: string) => options.get(id) ?? null,
  }
  // The suite buys without saying who buys.
  return { shop, merchant: { ...business, needsEmail: false, names } }
}

type SeededAddress = { readonly id: string; readonly email: string; readonly address: KnownAddress }

/** Makes the merchant `ctx.tenant` one of the official suite, or changes what it knows of it. */
export function writeConformanceShop(
  ctx: ActingContext,
  {
    names,
    addresses,
    simulationSecret,
  }: { names: ShopNames; addresses: readonly SeededAddress[]; simulationSecret: string | null },
): void {
  const { accountId: account_id, mode } = ctx.tenant
  if (mode !== 'test') throw new Error('only merchants of test mode are for the suite')
  const secret_hash = simulationSecret === null ? null : hashOf(ctx, simulationSecret)
  // Messages of a run before would reach the next one.
  forgetUntoldOrders(ctx)
  ctx.tx.write(writeShop({ account_id, mode, names: JSON.stringify(names), secret_hash, now: ctx.now }))
  for (const { id, email, address } of addresses)
    ctx.tx.write(
      writeAddress({
        account_id,
        mode,
        email: email.toLowerCase(),
        id,
        address: JSON.stringify(address),
        is_seeded: true,
        now: ctx.now,
      }),
    )
}

/** Whether a caller may simulate what a merchant does. */
export function opensSimulation(
  ctx: Pick<ActingContext, 'sealer'>,
  { secret_hash }: Pick<ShopRow, 'secret_hash'>,
  secret: string | undefined,
): boolean {
  return secret !== undefined && secret_hash !== null && hashOf(ctx, secret).equals(secret_hash)
}

function hashOf({ sealer }: Pick<ActingContext, 'sealer'>, secret: string): Buffer {
  return sealer.hashToken(`simulation ${secret}`)
}
