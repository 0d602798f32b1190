import type { Mode } from '../../../contract/context.ts'
import type { Fragment } from '../../../contract/statement.ts'
import { sql } from '../../../platform/database/fragment.ts'
import { registryAccount } from './entry-row.ts'

/** Of these hosts, those that the registry of a mode has. `site_hosts`: as `siteHostsOf`. */
export const registeredHosts: Fragment<{ host: string }, { mode: Mode; site_hosts: readonly string[] }> =
  sql`select host from registry_entries
   where account_id = '${registryAccount}' and mode = $mode and host = any($site_hosts::text[])`
