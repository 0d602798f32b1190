import { randomBytes } from 'node:crypto'
import type { ActingContext, Mode } from '../../contract/context.ts'
import type { Id } from '../../core/id.ts'
import { issueStartingKeys, openAccount, type StartingKeys } from '../../domain/accounts/api-keys/public.ts'
import { changeMerchant } from '../../domain/readiness/merchant-readiness/public.ts'
import { heldTestDomain } from '../../domain/selling/merchant/public.ts'
import type { Parts } from '../../parts.ts'
import { inTenant, runAs } from '../../platform/calls/run-as.ts'
import type { Config } from '../../platform/config/config.ts'
import { createMemoryHints } from '../../platform/hints/memory-hints.ts'
import { servedDatabase } from '../role-config.ts'
import { checkDatabase, withDatabaseTrouble } from './database-trouble.ts'
import { openKeys } from './keys-at-hand.ts'
import { systemUser } from './operator.ts'

export type OpenedAccount = { account_id: Id<'acct'>; keys: StartingKeys }

/** What operators do beside the API. Each action is one transaction with its events, so the audit records it like any other change. */
export type Administration = {
  parts: Parts
  /** The name of the acting operator. */
  operator: string
  /** `beforeCommit` gets the account before anybody else can see it: what it writes down survives this process. */
  openAccount(name: string, beforeCommit?: (account: OpenedAccount) => void): Promise<OpenedAccount>
  /** New keys for an existing account, with the names and rights of the keys that it was opened with. */
  newStartingKeys(accountId: Id<'acct'>): Promise<OpenedAccount>
  /** Gives a merchant of the sandbox its reserved domain, which counts as verified in test mode. */
  holdSandboxDomain(accountId: string, domain: string): Promise<void>
  /** One transaction in a tenant, on the operator's behalf. */
  inTenant<T>(
    tenant: { accountId: Id<'acct'>; mode: Mode },
    work: (ctx: ActingContext) => Promise<T>,
  ): Promise<T>
}

/** The database, opened for operators until it is closed. What goes wrong there during some work is said in words. */
type OpenAdministration = {
  during<T>(work: (admin: Administration) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/**
 * Opens the database for one command and closes it again in every case. It says in words what is wrong with the database, or with the
 * keys. The audit names the operator, or the user of this system.
 */
export async function administer<T>(
  config: Config,
  work: (admin: Administration) => Promise<T>,
  operator?: string,
): Promise<T> {
  const opened = await openAdministration(config, operator)
  return opened.during(work).finally(() => opened.close())
}

/** For several works with others between them, whose errors are not those of the database. */
export async function openAdministration(
  config: Config,
  operator = systemUser(),
): Promise<OpenAdministration> {
  const named = servedDatabase(config)
  const seen = await checkDatabase(named)
  const keys = await openKeys(config, seen)
  const { openParts } = await import('../../parts.ts')
  const parts = await withDatabaseTrouble(named, () =>
    openParts({
      databaseUrl: named.url,
      role: 'command',
      keys,
      isPooled: seen.isPooled,
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
    }),
  )
  const admin = administrationOf(parts, operator)
  return {
    during: (work) => withDatabaseTrouble(named, () => work(admin)),
    close: () => parts.close(),
  }
}

/** The same transaction in either mode of an account. */
function inModes(parts: Parts, ctx: ActingContext, accountId: Id<'acct'>): (mode: Mode) => ActingContext {
  return (mode) => inTenant(ctx, { accountId, mode }, parts.sealer({ accountId, mode }))
}

function administrationOf(parts: Parts, operator: string): Administration {
  const actor = { type: 'system', id: `operator:${operator}` } as const
  return {
    parts,
    operator,
    async openAccount(name, beforeCommit = () => undefined) {
      const accountId = parts.newId('acct', Date.now())
      return runAs(parts, { tenant: { accountId, mode: 'test' }, actor }, async (ctx) => {
        const account = {
          account_id: accountId,
          keys: openAccount(inModes(parts, ctx, accountId), { id: accountId, name }),
        }
        beforeCommit(account)
        return account
      })
    },
    newStartingKeys: (accountId) =>
      runAs(parts, { tenant: { accountId, mode: 'test' }, actor }, async (ctx) => ({
        account_id: accountId,
        keys: issueStartingKeys(inModes(parts, ctx, accountId)),
      })),
    async holdSandboxDomain(accountId, domain) {
      const tenant = { accountId: accountId as Id<'acct'>, mode: 'test' } as const // from our own state folder
      await runAs(parts, { tenant, actor }, (ctx) => changeMerchant(ctx, () => heldTestDomain(ctx, domain)))
    },
    inTenant: (tenant, work) => runAs(parts, { tenant, actor }, work),
  }
}
