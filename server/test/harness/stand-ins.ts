import type { PayoutAccounts } from '../../src/domain/selling/payouts/public.ts'
import type { TestApp } from './app.ts'

/** Plays the party that an operation waits for, by a statement of its own. It does not wait for rows that are being changed. */
type StandIn = { name: string; text: string }

/** A request for a quote waits for the merchant: quotes are marked as answered, except those that a test marks as awaited. */
export const merchantStandIn: StandIn = {
  name: 'answered_meanwhile',
  text: `update quotes set status = 'quoted', responded_at = now(), responded_by_type = 'api_key', responded_by_id = 'key_1',
       due_at = now() + interval '1 hour', expires_at = now() + interval '1 hour',
       offers = jsonb_build_array(jsonb_build_object('id', 'offer_' || substr(id, 5), 'total_amount', 1000, 'currency', 'EUR',
         'available_quantity', null, 'expires_at', '2090-01-01T00:00:00.000Z', 'message', null))
     where ctid = any (array(select ctid from quotes where status = 'pending' and not metadata ? 'awaits' for update skip locked))`,
}

/** A test of a destination waits for its first attempt: deliveries are marked as attempted. */
export const receiverStandIn: StandIn = {
  name: 'attempted_meanwhile',
  text: `update deliveries set status = 'succeeded', due_at = null, attempt_count = 1, first_attempt_at = now(), last_attempt_at = now()
      where ctid = any (array(select ctid from deliveries where first_attempt_at is null for update skip locked))`,
}

/** A verification of a domain waits for the look at it. */
export const lookStandIn: StandIn = {
  name: 'looked_meanwhile',
  text: `update domain_verifications set answered = asked, due_at = null
      where ctid = any (array(select ctid from domain_verifications where due_at is not null for update skip locked))`,
}

export const everyStandIn = [merchantStandIn, receiverStandIn, lookStandIn]

/** Repeats the act of a worker until the work is over. */
export async function doneMeanwhile<T>(
  app: TestApp,
  standIns: readonly StandIn[],
  work: () => Promise<T>,
): Promise<T> {
  let isOver = false
  const worked = work().finally(() => {
    isOver = true
  })
  while (!isOver) {
    for (const { name, text } of standIns) await app.parts.pools.single({ name, text, values: [] })
    await Promise.race([worked, new Promise((resolve) => setTimeout(resolve, 50))])
  }
  return worked
}

/** Resets this quote: it is not answered, no call waits for it, and no stand-in will answer it. */
export async function unanswer(app: TestApp, quoteId: string): Promise<void> {
  const text = `with unsaid as (delete from quote_answers where quote_id = $1) update quotes set status = 'pending', responded_at = null, responded_by_type = null, responded_by_id = null,
    offers = '[]', expires_at = null, metadata = '{"awaits":"its merchant"}' where id = $1`
  await app.parts.pools.single({ name: '', text, values: [quoteId] })
}

/** A rail that opens an account for everybody, in test mode too. */
export const payoutsStandIn: PayoutAccounts = {
  modes: ['test', 'live'],
  open: async () => ({ kind: 'opened', id: 'acct_1Tour' }),
  link: async () => ({
    kind: 'linked',
    url: 'https://rail.example/connect',
    expiresAt: new Date('2100-01-01T00:00:00Z'),
  }),
  read: async () => ({ kind: 'away' }),
}
