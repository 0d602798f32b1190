import type { ActingContext, EventDraft } from '../../contract/context.ts'
import type { EventType, ObjectOf } from '../../contract/event.ts'
import { Problem } from '../../contract/problem.ts'
import type { Statement } from '../../contract/statement.ts'
import type { Tenanted } from './aggregate.ts'

/** A row whose changes are counted: each one is an event with the next sequence. */
type Counted = { id: string; seq: number; updated_at: Date }
type Acting = Pick<ActingContext, 'tenant' | 'now' | 'tx'>

type Written<Row, Type extends EventType> = {
  readonly insert: (row: Row & Tenanted) => Statement<never>
  readonly update: (row: Row & Tenanted) => Statement<never>
  /** The object of its events. */
  readonly render: (row: Row, ctx: Acting) => ObjectOf<Type>
  /** What else its events say. */
  readonly about?: (row: Row) => Pick<EventDraft<Type>, 'tenant' | 'lane'>
}

type Writes<Row, Type extends EventType> = {
  /** Queues a new row and the event that says so; answers the object. */
  add(ctx: Acting, row: Row, type: Type): ObjectOf<Type>
  /** Queues what a locked row has become, and the event that says so. */
  write(ctx: Acting, row: Row, changes: Partial<Row>, type: Type): { row: Row; object: ObjectOf<Type> }
}

/** How the rows of an aggregate are written: each change with its event, in one transaction. */
export function writesOf<Row extends Counted, Type extends EventType>(
  written: Written<Row, Type>,
): Writes<Row, Type> {
  const { insert, update, render, about } = written
  // Whose the row is, it says itself where somebody else may change it.
  const owned = ({ tenant }: Acting, row: Row) => ({
    account_id: tenant.accountId,
    mode: tenant.mode,
    ...row,
  })
  const emit = (ctx: Acting, row: Row, type: Type) => {
    const object = render(row, ctx)
    ctx.tx.emit<Type>({ type, aggregateId: row.id, sequence: row.seq, object, ...about?.(row) })
    return object
  }
  return {
    add(ctx, row, type) {
      ctx.tx.write(insert(owned(ctx, row)))
      return emit(ctx, row, type)
    },
    write(ctx, row, changes, type) {
      const changed = { ...row, ...changes, seq: row.seq + 1, updated_at: ctx.now }
      ctx.tx.write(update(owned(ctx, changed)))
      return { row: changed, object: emit(ctx, changed, type) }
    },
  }
}

type Changed<Row, Type extends EventType> = Written<Row, Type> & {
  readonly lock: (key: Tenanted & { id: string }) => Statement<Row>
  /** What the id is called in requests. */
  readonly param: string
}

type Changes<Row, Type extends EventType> = Writes<Row, Type> & {
  /**
   * Changes one row of the tenant: locks it, lets `decide` say what changes (it may throw a refusal), writes the row and the event.
   * Answers the object as it is then. A change of nothing writes nothing.
   */
  change(
    ctx: Acting,
    id: string,
    type: Type,
    decide: (row: Row) => Partial<Row> | Promise<Partial<Row>>,
  ): Promise<ObjectOf<Type>>
}

/** The same with what looks for the row first. */
export function changesOf<Row extends Counted, Type extends EventType>(
  changed: Changed<Row, Type>,
): Changes<Row, Type> {
  const writes = writesOf(changed)
  return {
    ...writes,
    async change(ctx, id, type, decide) {
      const { accountId, mode } = ctx.tenant
      const row = await ctx.tx.maybe(changed.lock({ account_id: accountId, mode, id }))
      if (!row) throw new Problem('not_found', { param: changed.param })
      const changes = await decide(row)
      if (Object.keys(changes).length === 0) return changed.render(row, ctx)
      return writes.write(ctx, row, changes, type).object
    },
  }
}
