import { insertEntry } from '../../src/domain/discovery/registry/entries.sql.ts'
import { columnsOf, registryAccount } from '../../src/domain/discovery/registry/entry-row.ts'
import { runAs } from '../../src/platform/calls/run-as.ts'
import type { Buying } from './buying.ts'

/** Test mode contacts a site that the registry knows, and no other. */
export async function registerPaidSite(
  buying: Pick<Buying, 'app'>,
  { origin, host, methods = ['vault'] }: { origin: string; host: string; methods?: ('vault' | 'stripe')[] },
): Promise<void> {
  const tenant = { accountId: registryAccount, mode: 'test' } as const
  await runAs(buying.app.parts, { tenant, actor: { type: 'system', id: 'test' } }, async (ctx) => {
    const found = {
      protocol: 'mpp',
      status: 'live',
      last_checked_at: ctx.now.toISOString(),
      failures: 0,
      version: null,
      endpoints: [],
      capabilities: [],
      services: [],
      site_name: 'Kiosk',
      payment_methods: methods,
      payment_instruments: [],
      payment_provenance: [],
      item_types: [],
      categories: [],
    } as const
    ctx.tx.write(
      insertEntry({
        account_id: registryAccount,
        mode: 'test',
        ...columnsOf([found]),
        id: ctx.newId('reg'),
        origin,
        host,
        name: null,
        channel: null,
        evidence: [],
        failures: 0,
        looked_at: ctx.now,
        seq: 1,
        created_at: ctx.now,
        updated_at: ctx.now,
        more_hosts: [],
        due_at: null,
      }),
    )
  })
}
