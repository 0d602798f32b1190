import Type, { type Static } from 'typebox'
import type { ActingContext, CallContext, Tenant } from '../../../contract/context.ts'
import { invalid, Problem } from '../../../contract/problem.ts'
import { At, Closed, Described, IdParam, ModeSchema, Named, OneOf } from '../../../contract/schemas.ts'
import { filled, given, not, Ruled, says, whenThen } from '../../../schema/rules.ts'
import { findProfileId } from '../../buyers/profiles/public.ts'
import { type HeldControl, updateControl } from './controls.sql.ts'
import { lockControlForUpdate } from './lock-control.ts'
import type { CallInFlight, FreezeReads } from './port.ts'

const rules = { noId: 'leave out id for the account', id: 'send the id of the {type}' }

const Target = Ruled(
  Closed({
    type: OneOf(['account', 'profile', 'key'], {
      description: 'What is frozen: the whole account, one profile, or one key.',
    }),
    id: Type.Optional(
      IdParam(
        'The id of the profile; or of an agent or one of its keys, which means the agent. Leave it out for the account.',
      ),
    ),
  }),
  rules,
  [whenThen(says('type', 'account'), not(given('id'))), whenThen(not(says('type', 'account')), given('id'))],
)
type Target = Static<typeof Target>

export const ControlTarget = Closed({ target: Described(Target, 'What to freeze or unfreeze.') })

export const Control = Named(
  'Control',
  Closed(
    {
      object: Type.Literal('control', { description: 'The type of this object.' }),
      mode: Described(ModeSchema, 'The mode of the API key.'),
      frozen: Type.Boolean({ description: 'Whether the whole account is frozen, in this mode.' }),
      profiles: Type.Array(Type.String(), { description: 'Profiles that are frozen on their own.' }),
      keys: Type.Array(Type.String(), {
        description: 'Agents that are frozen on their own, with all their keys.',
      }),
      in_flight: Type.Array(
        Closed({
          cart_id: Type.String({ description: 'The cart the call is for.' }),
          purchase_intent_id: Type.String({ description: 'The purchase intent the call is for.' }),
          step: Type.String({ description: 'What the call does.' }),
          state: OneOf(['sent', 'unknown'], {
            description: '`sent`: not answered yet. `unknown`: it is being found out what happened.',
          }),
          since: At('When the call went out.'),
        }),
        {
          description: 'Calls to the outside that had gone out before and whose outcome is not known yet.',
        },
      ),
      updated_at: At('When a freeze last changed.'),
    },
    { description: 'What is frozen: no purchase of it goes out.' },
  ),
)
export type Control = Static<typeof Control>

/** Freezes or unfreezes one target, under a lock of the control row against every release of money. */
export async function changeControl(
  ctx: CallContext,
  reads: FreezeReads,
  { target: named, isFrozen }: { target: Target; isFrozen: boolean },
): Promise<Control> {
  const row = await lockControlForUpdate(ctx)
  // Under the lock, which a call that joins agents holds too: an agent that has just been joined is frozen under its new id.
  const target = await resolveTarget(ctx, reads, named)
  const inFlight = await reads.callsInFlight(ctx, {
    profileId: target.type === 'profile' ? (target.id ?? null) : null,
    agentId: target.type === 'key' ? (target.id ?? null) : null,
  })
  const next = withTarget(row, target, isFrozen)
  if (!next) return renderControl(row, inFlight, ctx.tenant)
  return writeControl(ctx, next, { inFlight, type: isFrozen ? 'control.frozen' : 'control.unfrozen' })
}

/** A freeze of the one agent becomes a freeze of the other, which has its keys from now on. Call it under `lockControlForUpdate`. */
export function renameFrozenAgent(ctx: ActingContext, row: HeldControl, from: string, into: string): void {
  if (!row.frozen_agent_ids.includes(from)) return
  const frozen_agent_ids = [...new Set(row.frozen_agent_ids.map((id) => (id === from ? into : id)))]
  writeControl(ctx, { ...row, frozen_agent_ids }, { inFlight: [], type: 'control.frozen' })
}

function writeControl(
  ctx: ActingContext,
  next: HeldControl,
  { inFlight, type }: { inFlight: readonly CallInFlight[]; type: 'control.frozen' | 'control.unfrozen' },
): Control {
  const { accountId: account_id, mode } = ctx.tenant
  const changed: HeldControl = { ...next, seq: next.seq + 1, updated_at: ctx.now }
  const control = renderControl(changed, inFlight, ctx.tenant)
  ctx.tx.write(updateControl({ account_id, mode, ...changed }))
  ctx.tx.emit({ type, aggregateId: account_id, sequence: changed.seq, object: control })
  return control
}

/** The row with the target frozen or not; null when it is so already. */
function withTarget(row: HeldControl, target: Target, isFrozen: boolean): HeldControl | null {
  if (target.type === 'account') return row.frozen === isFrozen ? null : { ...row, frozen: isFrozen }
  const column = target.type === 'profile' ? 'frozen_profile_ids' : 'frozen_agent_ids'
  const id = target.id ?? ''
  if (row[column].includes(id) === isFrozen) return null
  return { ...row, [column]: isFrozen ? [...row[column], id] : row[column].filter((other) => other !== id) }
}

/** The target with the agent that a key's id means; throws what is wrong with it. */
async function resolveTarget(ctx: CallContext, reads: FreezeReads, target: Target): Promise<Target> {
  if (target.type === 'account') {
    if (target.id !== undefined) throw invalid(['body', 'target', 'id'], rules.noId)
    return target
  }
  if (target.id === undefined)
    throw invalid(['body', 'target', 'id'], filled(rules.id, { type: target.type }))
  // guard key-means-its-agent-in-a-freeze: a freeze that names a key holds for all keys of its agent
  const id =
    target.type === 'key' ? await reads.agentMeant(ctx, target.id) : await findProfileId(ctx, target.id)
  if (id === null) throw new Problem('not_found', { param: 'target.id' })
  return { ...target, id }
}

function renderControl(row: HeldControl, inFlight: readonly CallInFlight[], tenant: Tenant): Control {
  return {
    object: 'control',
    mode: tenant.mode,
    frozen: row.frozen,
    profiles: row.frozen_profile_ids,
    keys: row.frozen_agent_ids,
    in_flight: inFlight.map(({ since, ...call }) => ({ ...call, since: since.toISOString() })),
    updated_at: row.updated_at.toISOString(),
  }
}
