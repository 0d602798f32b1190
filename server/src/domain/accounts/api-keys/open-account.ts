import type { ActingContext, Mode } from '../../../contract/context.ts'
import type { Id } from '../../../core/id.ts'
import { openControl } from '../controls/public.ts'
import { insertAccount } from './api-keys.sql.ts'
import { issueKey } from './issue-key.ts'

/** The first keys of an account. */
export type StartingKeys = {
  secret_test: string
  secret_live: string
  publishable_test: string
  agent_test: string
}

/**
 * Opens an account with its control rows and its first keys. `inMode` returns the context for one of the account's two tenants, all on
 * one transaction.
 */
export function openAccount(
  inMode: (mode: Mode) => ActingContext,
  account: { id: Id<'acct'>; name: string },
): StartingKeys {
  const test = inMode('test')
  const live = inMode('live')
  test.tx.write(insertAccount({ id: account.id, name: account.name, now: test.now }))
  // Freezes are events of the account: in test mode they continue the sequence that its creation starts.
  openControl(test, 1)
  openControl(live, 0)
  const object = {
    id: account.id,
    object: 'account',
    name: account.name,
    created_at: test.now.toISOString(),
  } as const
  test.tx.emit({ type: 'account.created', aggregateId: account.id, sequence: 1, object })
  return issueStartingKeys((mode) => (mode === 'test' ? test : live))
}

/** Keys with the names and rights of an account's first keys. */
export function issueStartingKeys(inMode: (mode: Mode) => ActingContext): StartingKeys {
  const [test, live] = [inMode('test'), inMode('live')]
  return {
    secret_test: issueKey(test, { kind: 'secret', name: 'secret_test', preset: 'full' }).token,
    secret_live: issueKey(live, { kind: 'secret', name: 'secret_live', preset: 'full' }).token,
    publishable_test: issueKey(test, { kind: 'publishable', name: 'publishable_test', preset: 'discovery' })
      .token,
    agent_test: issueKey(test, { kind: 'secret', name: 'agent_test', preset: 'buyer_agent' }).token,
  }
}
