import { addEntry, registryAccount } from '../../../src/domain/discovery/registry/public.ts'
import { runAs } from '../../../src/platform/calls/run-as.ts'
import type { TestApp } from '../../harness/app.ts'
import { domainOf, strangers } from './model.ts'

type Given = Pick<TestApp, 'parts'> & { sql(text: string, values: unknown[]): Promise<unknown> }

/** Lists them as shops that speak their protocol, as a look would have found them. */
export async function knowStrangers({ parts, sql }: Given): Promise<void> {
  const tenant = { accountId: registryAccount, mode: 'test' } as const
  for (const [shop, channel] of Object.entries(strangers)) {
    const origin = `https://${domainOf(shop)}`
    await runAs(parts, { tenant, actor: { type: 'system', id: 'operator:model' } }, (ctx) =>
      addEntry(ctx, { origin, channel, name: null }),
    )
    const found = { protocol: channel, status: 'live', last_checked_at: '2026-01-01T00:00:00.000Z' }
    await sql(
      'update registry_entries set found = $2, speaks = $3, looked_at = prokura_now(), due_at = null where origin = $1',
      [origin, JSON.stringify([{ ...found, ...saidByNobody }]), [channel]],
    )
  }
}

const saidByNobody = {
  ...{ version: null, endpoints: [], capabilities: [], services: {}, site_name: null, failures: 0 },
  ...{ payment_methods: [], payment_instruments: [], payment_provenance: [], item_types: [], categories: [] },
}
