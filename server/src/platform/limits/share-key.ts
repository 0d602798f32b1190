import { createHash } from 'node:crypto'
import type { Tenant } from '../../contract/context.ts'

/**
 * What a process calls an account and mode that must not learn which account it is: enough to share out fairly what it has. Ids of accounts
 * are random, so nobody finds one behind it.
 */
export function shareKeyOf({ accountId, mode }: Tenant): string {
  return createHash('sha256').update(`prokura share v1\n${accountId}\n${mode}`).digest('base64url')
}
