import Type, { type Static } from 'typebox'
import type { CallContext, Tenant } from '../../contract/context.ts'
import { invalid, Problem } from '../../contract/problem.ts'
import { Closed, IdParam, ModeSchema, Named, OneOf, Timestamp } from '../../contract/schemas.ts'
import {
  type HeldControlRow,
  holdControl,
  type InFlightRow,
  selectInFlight,
  updateControl,
} from './controls.sql.ts'
import { selectKnownIds } from './policies.sql.ts'

const Target = Closed({
  type: OneOf(['account', 'profile', 'key']),
  id: Type.Optional(IdParam('The profile or the key; nothing for the account.')),
})
type Target = Static<typeof Target>

export const ControlTarget = Closed({ target: Target })

export const Control = Named(
  'Control',
  Closed({
    object: Type.Literal('control'),
    mode: ModeSchema,
    frozen: Type.Boolean({ description: 'The whole account, in this mode.' }),
    profiles: Type.Array(Type.String(), { description: 'Profiles that are frozen by themselves.' }),
    keys: Type.Array(Type.String(), { description: 'API keys that are frozen by themselves.' }),
    in_flight: Type.Array(
      Closed({
        cart_id: Type.String(),
        purchase_intent_id: Type.String(),
        step: Type.String(),
        state: OneOf(['sent', 'unknown']),
        since: Timestamp,
      }),
      {
        description:
          'External calls of the target that may still land: sent and not answered yet, or nobody has heard what came of them.',
      },
    ),
    updated_at: Timestamp,
  }),
)
export type Control = Static<typeof Control>

/** Freezes or unfreezes one target, holding the control row against every release of money. */
export async function changeControl(ctx: CallContext, target: Target, isFrozen: boolean): Promise<Control> {
  const tenanted = { account_id: ctx.tenant.accountId, mode: ctx.tenant.mode }
  await requireTarget(ctx, target)
  const row = await ctx.tx.maybe(holdControl({ ...tenanted, now: ctx.now }))
  if (!row) throw new Error('the control row was not held')
  const inFlight = await ctx.tx.rows(
    selectInFlight({
      ...tenanted,
      profile_id: target.type === 'profile' ? (target.id ?? null) : null,
      api_key_id: target.type === 'key' ? (target.id ?? null) : null,
    }),
  )
  const next = withTarget(row, target, isFrozen)
  if (!next) return renderControl(row, inFlight, ctx.tenant)
  const changed: HeldControlRow = { ...next, seq: row.seq + 1, updated_at: ctx.now }
  const control = renderControl(changed, inFlight, ctx.tenant)
  ctx.tx.write(updateControl({ ...tenanted, ...changed }))
  ctx.tx.emit({
    type: isFrozen ? 'control.frozen' : 'control.unfrozen',
    aggregateId: ctx.tenant.accountId,
    sequence: changed.seq,
    object: control,
  })
  return control
}

/** The row with the target frozen or not; null when it already is as asked. */
export function withTarget(row: HeldControlRow, target: Target, isFrozen: boolean): HeldControlRow | null {
  if (target.type === 'account') return row.frozen === isFrozen ? null : { ...row, frozen: isFrozen }
  const column = target.type === 'profile' ? 'frozen_profile_ids' : 'frozen_key_ids'
  const id = target.id ?? ''
  if (row[column].includes(id) === isFrozen) return null
  return { ...row, [column]: isFrozen ? [...row[column], id] : row[column].filter((other) => other !== id) }
}

async function requireTarget(ctx: CallContext, target: Target): Promise<void> {
  if (target.type === 'account') {
    if (target.id !== undefined) throw invalid(['body', 'target', 'id'], 'the account needs no id')
    return
  }
  if (target.id === undefined) throw invalid(['body', 'target', 'id'], `a ${target.type} needs its id`)
  const known = await ctx.reads.maybe(
    selectKnownIds({
      account_id: ctx.tenant.accountId,
      mode: ctx.tenant.mode,
      profile_ids: target.type === 'profile' ? [target.id] : [],
      key_ids: target.type === 'key' ? [target.id] : [],
    }),
  )
  if (!known || known.profile_ids.length + known.key_ids.length === 0)
    throw new Problem('not_found', { param: 'target.id' })
}

function renderControl(row: HeldControlRow, inFlight: readonly InFlightRow[], tenant: Tenant): Control {
  return {
    object: 'control',
    mode: tenant.mode,
    frozen: row.frozen,
    profiles: row.frozen_profile_ids,
    keys: row.frozen_key_ids,
    in_flight: inFlight.map(({ since, ...call }) => ({ ...call, since: since.toISOString() })),
    updated_at: row.updated_at.toISOString(),
  }
}
