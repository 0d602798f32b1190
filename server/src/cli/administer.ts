import { randomBytes } from 'node:crypto'
import type { ActingContext, Mode } from '../contract/context.ts'
import type { Id } from '../core/id.ts'
import { openAccount, type StartingKeys } from '../features/api-keys/public.ts'
import { changeMerchant, heldTestDomain } from '../features/merchant/public.ts'
import { openParts, type Parts } from '../parts.ts'
import { act, inTenant } from '../platform/calls/act.ts'
import type { Config } from '../platform/config/config.ts'
import { createMemoryHints } from '../platform/hints/memory-hints.ts'
import { checkDatabase, inWords } from './database-trouble.ts'
import { systemUser } from './operator.ts'
import { openKeys, requiredDatabase } from './role-config.ts'

export type OpenedAccount = { account_id: Id<'acct'>; keys: StartingKeys }

/** What operators do beside the API. Each is one transaction with its events, so it stands in the audit like any other change. */
export type Administration = {
  parts: Parts
  /** Who acts, by name. */
  operator: string
  openAccount(name: string): Promise<OpenedAccount>
  /** Gives a merchant of the sandbox its reserved domain, which counts as verified in test mode. */
  holdSandboxDomain(accountId: string, domain: string): Promise<void>
  /** One transaction in a tenant, on the operator's behalf. */
  inTenant<T>(
    tenant: { accountId: Id<'acct'>; mode: Mode },
    work: (ctx: ActingContext) => Promise<T>,
  ): Promise<T>
}

/**
 * Opens the database for one command and closes it again, whatever happens. Says in words what is wrong with the database. What is done
 * stands in the audit under the operator's name, or that of the user of this system.
 */
export async function administer<T>(
  config: Config,
  work: (admin: Administration) => Promise<T>,
  operator = systemUser(),
): Promise<T> {
  const databaseUrl = requiredDatabase(config)
  await checkDatabase(databaseUrl)
  const parts = await openParts({
    databaseUrl,
    role: 'command',
    keys: openKeys(config),
    hints: createMemoryHints(),
    settings: {
      publicUrl: config.publicUrl ?? '',
      allowLoopback: config.allowLoopback,
      livePayments: false,
      sharesTestDomains: config.sharesTestDomains,
      limits: config.limits,
    },
    testClock: config.testClock,
    writers: 2,
    readers: 1,
    onDatabaseError: () => undefined, // the statement under way fails with it
    random: randomBytes,
  })
  try {
    return await work(administrationOf(parts, operator))
  } catch (error) {
    throw inWords(error)
  } finally {
    await parts.close()
  }
}

function administrationOf(parts: Parts, operator: string): Administration {
  const actor = { type: 'system', id: `operator:${operator}` } as const
  return {
    parts,
    operator,
    async openAccount(name) {
      const accountId = parts.newId('acct', Date.now())
      const keys = await act(parts, { tenant: { accountId, mode: 'test' }, actor }, async (ctx) =>
        openAccount((mode) => inTenant(ctx, { accountId, mode }, parts.sealer({ accountId, mode })), {
          id: accountId,
          name,
        }),
      )
      return { account_id: accountId, keys }
    },
    async holdSandboxDomain(accountId, domain) {
      const tenant = { accountId: accountId as Id<'acct'>, mode: 'test' } as const // from our own state folder
      await act(parts, { tenant, actor }, (ctx) => changeMerchant(ctx, () => heldTestDomain(ctx, domain)))
    },
    inTenant: (tenant, work) => act(parts, { tenant, actor }, work),
  }
}
