import type { CallContext } from '../../../contract/context.ts'
import { registryAccount } from './entry-row.ts'
import { nativePayment } from './native-protocols.ts'
import { type RegistryRow, type RepresentativeRow, selectRepresentatives } from './read-registry.sql.ts'
import { type RegistryEntry, renderEntry } from './registry-entry.ts'

/** Who asks, for the statements. */
export function viewerOf({ tenant, viewer }: Pick<CallContext, 'tenant' | 'viewer'>) {
  return { mode: tenant.mode, viewer, registry: registryAccount }
}

/** Whether merchants of ours can be paid in the caller's mode. */
function isPaid({ tenant, settings }: Pick<CallContext, 'tenant' | 'settings'>): boolean {
  return tenant.mode === 'test' || settings.livePayments
}

export function nativePaymentFor(ctx: Pick<CallContext, 'tenant' | 'settings'>) {
  return nativePayment(isPaid(ctx))
}

/** Renders rows, the merchants of ours among them with some of what they sell. */
export async function renderEntries(
  ctx: Pick<CallContext, 'tenant' | 'settings' | 'reads'>,
  rows: readonly RegistryRow[],
): Promise<RegistryEntry[]> {
  const accounts = rows.flatMap(({ is_native, id }) => (is_native ? [id] : []))
  const items: RepresentativeRow[] =
    accounts.length === 0
      ? []
      : await ctx.reads.rows(selectRepresentatives({ mode: ctx.tenant.mode, accounts }))
  const { publicUrl } = ctx.settings
  return rows.map((row) =>
    renderEntry(row, {
      publicUrl,
      mode: ctx.tenant.mode,
      isPaid: isPaid(ctx),
      items: items.filter(({ account_id }) => account_id === row.id),
    }),
  )
}
