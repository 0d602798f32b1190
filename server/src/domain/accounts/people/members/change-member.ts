import type { ActingContext, Actor, EventDraft } from '../../../../contract/context.ts'
import { updateMembership } from '../people.sql.ts'
import { type MemberRow, type Person, renderPerson } from '../person.ts'

type Changing = Pick<ActingContext, 'tx' | 'now'>

/** A change of a locked membership, with its event: those of an account's people stand in its test mode, as those of the account do. */
export function changeMember(
  ctx: Changing,
  row: MemberRow,
  change: { type: PersonEvent; actor?: Actor } & Partial<Pick<MemberRow, 'role' | 'status'>>,
): Person {
  const { type, actor, ...fields } = change
  const next: MemberRow = { ...row, ...fields, seq: row.seq + 1, updated_at: ctx.now }
  ctx.tx.write(updateMembership({ ...next, person_id: next.id }))
  return emitMember(ctx, next, { type, ...(actor ? { actor } : {}) })
}

/** Says what has happened to a membership, as its row is now. */
export function emitMember(
  { tx }: Pick<Changing, 'tx'>,
  row: MemberRow,
  how: { type: PersonEvent; actor?: Actor },
): Person {
  const person = renderPerson(row)
  tx.emit({
    ...how,
    aggregateId: row.id,
    sequence: row.seq,
    object: person,
    tenant: { accountId: row.account_id, mode: 'test' },
  })
  return person
}

type PersonEvent = Extract<EventDraft['type'], `person.${string}`>
