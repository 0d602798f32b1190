import type { Mode } from '../../../contract/context.ts'
import { statement } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'

/** What is known of the program that issues the cards of a mode. */
export type CardProgram = {
  confirmed_at: Date | null
  confirmed_by: string | null
  stopped_at: Date | null
  stopped_by: string | null
}

export const selectProgram = statement<CardProgram, { mode: Mode }>(
  'select_card_program',
  `/* tenantless: one program issues the cards of every account_id */
   select confirmed_at, confirmed_by, stopped_at, stopped_by from card_programs where mode = $mode`,
)

/** Whoever stops cards meanwhile waits for the card that is opened. */
export const lockProgramForShare = statement<Pick<CardProgram, 'stopped_at'>, { mode: Mode }>(
  'lock_card_program',
  `/* tenantless: one program issues the cards of every account_id */
   select stopped_at from card_programs where mode = $mode for share`,
)

/** Cards are shown again. */
export const confirmProgram = statement<never, { mode: Mode; by: string; now: Date }>(
  'confirm_card_program',
  `/* tenantless: one program issues the cards of every account_id */
   insert into card_programs (mode, confirmed_at, confirmed_by) values ($mode, $now, $by)
   on conflict (mode) do update set confirmed_at = $now, confirmed_by = $by, stopped_at = null, stopped_by = null`,
)

/** The first charge that stops it is the one that is named. */
export const stopProgram = statement<never, { mode: Mode; by: string; now: Date }>(
  'stop_card_program',
  `/* tenantless: one program issues the cards of every account_id */
   insert into card_programs (mode, stopped_at, stopped_by) values ($mode, $now, $by)
   on conflict (mode) do update set stopped_at = $now, stopped_by = $by where card_programs.stopped_at is null`,
)

/** Those that nobody here has allowed. */
export const selectNeverAllowed = statement<
  { id: string },
  { account_id: Id<'acct'>; mode: Mode; ids: readonly string[] }
>(
  'select_never_allowed',
  `select told.id from unnest($ids::text[]) as told (id)
   where not exists (
     select 1 from card_authorizations a
     where a.account_id = $account_id and a.mode = $mode and a.authorization_id = told.id and a.declined_because is null)
   order by 1`,
)
