import { hash } from 'node:crypto'
import type { CallContext, ShownTerms } from '../../contract/context.ts'
import type { Operation } from '../../contract/operation.ts'
import { type BoundPorts, definePort } from '../../contract/port.ts'
import type { Problem } from '../../contract/problem.ts'
import { canonical } from '../idempotency/request-digest.ts'
import type { AnyArgs, RawSections } from './arguments.ts'

/** A call that a person confirms: what exactly, and what they are shown. */
type Confirming = {
  readonly operation: Operation['id']
  /** Of the tenant, the operation, its arguments and the terms: nothing else is confirmed. */
  readonly digest: Buffer
  readonly terms: ShownTerms
}

/** The people of the product, as far as calls ask them. */
export type StepUps = {
  /** The refusal that asks the person for a passkey. What it writes is committed with it. */
  ask(ctx: CallContext, confirming: Confirming): Promise<Problem>
  /**
   * Whether the person has signed exactly this, for this session, just now and not before; null: no. What it answers uses it up, in the
   * transaction of the call and as its last statement, and throws where somebody else has, or the person may not act any more. Until
   * then it only reads, because the operation may ask the outside before its transaction.
   */
  check(ctx: CallContext, confirming: Confirming, answer: string): Promise<(() => Promise<void>) | null>
}

export const StepUps = definePort<StepUps>('StepUps')

const header = 'prokura-step-up'

type Asked = {
  readonly operation: Operation
  readonly args: AnyArgs
  readonly call: Pick<RawSections, 'headers'>
}

/** What a person has confirmed, and what uses it up. */
type Confirmed = { readonly terms: ShownTerms; use(): Promise<void> }

/** What a person has confirmed for this call, or the refusal that asks them to; null: it asks for nothing. */
export async function confirmedBy(
  ctx: CallContext,
  { operation, args, call }: Asked,
  ports: BoundPorts,
): Promise<Confirmed | Problem | null> {
  // guard people-confirm: a session alone releases no money and gives nobody any right
  if (operation.confirms === undefined) return null
  const terms = await operation.confirms(ctx, args)
  if (terms === null) return null
  const people = ports.get(StepUps)
  const confirming = { operation: operation.id, digest: digestOf(ctx, operation, args, terms), terms }
  const answer = call.headers[header]
  const use = typeof answer === 'string' ? await people.check(ctx, confirming, answer) : null
  return use === null ? await people.ask(ctx, confirming) : { terms, use }
}

function digestOf(
  { tenant }: CallContext,
  { id }: Operation,
  { path, query, body }: AnyArgs,
  terms: ShownTerms,
): Buffer {
  // guard confirmed-is-this-call: what a person has signed for one purchase confirms no other
  return hash('sha256', canonical([tenant.accountId, tenant.mode, id, path, query, body, terms]), 'buffer')
}
