import { quoteRetrySeconds } from '../../../src/core/backoff.ts'
import { confirmByHand, type Receiver, startReceiver } from '../../harness/deliveries.ts'
import { memberOf, type Sent } from '../client.ts'
import { bodyOf } from '../model/real.ts'
import { type Edge, hour, minute, type Stage, saidBy, second } from './stage.ts'

type Asking = { id: string; said: Promise<Sent> }

export const quoteEdges: Readonly<Record<string, Edge>> = {
  'quote answer': (stage) =>
    withResponder(stage, async ({ ask }) => {
      const [kept, taken, late] = [await ask('kept'), await ask('taken'), await ask('late')]
      const answer = (quote: Asking) => {
        const offers = [{ total_amount: 1000, expires_at: new Date(stage.start + hour).toISOString() }]
        return stage.send(`/v1/merchant/quotes/${quote.id}/responses`, { outcome: 'quoted', offers })
      }
      const read = async (quote: Asking) => bodyOf(await stage.read(`/v1/quotes/${quote.id}`), [200])
      const accept = async (quote: Asking) => {
        const { offers } = await read(quote)
        const offer_id = memberOf(Array.isArray(offers) ? offers[0] : null, 'id')
        return saidBy(
          await stage.send(`/v1/quotes/${quote.id}/accept`, { offer_id, profile_id: stage.profileId }),
        )
      }
      const deadline = memberOf((await read(kept)).responder, 'deadline_at')
      stage.same(
        'a caller waits for ten seconds',
        deadline,
        new Date(stage.start + 10 * second).toISOString(),
      )
      await stage.at(10 * second)
      const joined = await stage.send('/v1/quotes', quoteBody(stage), { idempotencyKey: 'kept' })
      stage.same('who comes at their end waits no longer', saidBy(joined), '202')
      await stage.at(15 * minute - 1)
      await stage.work()
      stage.same('a millisecond before, a worker leaves it', (await read(late)).status, 'pending')
      stage.same('answered a millisecond before', [await answer(kept), await answer(taken)].map(saidBy), [
        '200',
        '200',
      ])
      await stage.at(15 * minute)
      stage.same('answered at its end', saidBy(await answer(late)), 'quote_expired')
      await stage.work()
      stage.same('kept', (await read(late)).status, 'failed')
      stage.same('answered after that', saidBy(await answer(late)), 'quote_expired')
      await stage.at(hour - 1)
      await stage.work()
      stage.same('accepted a millisecond before the offer ends', await accept(taken), '201')
      await stage.at(hour)
      stage.same('accepted when it ends', await accept(kept), 'quote_expired')
      await stage.work()
      stage.same('an offer that has ended', (await read(kept)).status, 'expired')
      stage.same(
        'their answers',
        (await Promise.all([kept, taken, late].map(({ said }) => said))).map(saidBy),
        ['201', '201', 'responder_failed'],
      )
    }),

  'quote retries': (stage) =>
    withResponder(stage, async ({ ask, receiver }) => {
      receiver.answer((response) => void response.writeHead(500).end())
      const quote = await ask('failing')
      await stage.work()
      stage.same('the first attempt', receiver.received.length, 1)
      for (const [index, seconds] of quoteRetrySeconds.entries()) {
        const due = await dueAt(stage, quote.id)
        const after = (due - stage.start) / second
        // Counted from the request; the time that an attempt took is not waited again.
        stage.same(`retry ${index + 1} is due in time`, after > seconds - 0.5 && after <= seconds, true)
        await stage.lane.clock.set(new Date(due - 1))
        await stage.work()
        stage.same(`a millisecond before retry ${index + 1}`, receiver.received.length, index + 1)
        await stage.lane.clock.set(new Date(due))
        await stage.work()
        stage.same(`retry ${index + 1}`, receiver.received.length, index + 2)
      }
      stage.same('after the last', saidBy(await quote.said), 'responder_failed')
    }),
}

type Responder = { receiver: Receiver; ask(key: string): Promise<Asking> }

/** The stage's own account is a merchant that answers quotes. */
async function withResponder(stage: Stage, run: (responder: Responder) => Promise<void>): Promise<void> {
  const receiver = await startReceiver()
  try {
    const slug = slugOf(stage)
    const record = { name: 'Edge', currency: 'EUR', slug, domain: `${slug}.example` }
    bodyOf(await stage.send('/v1/merchant', record), [200])
    const backend = { name: 'Backend', responds_to_quotes: true, webhook: { endpoint_url: receiver.url } }
    const made = bodyOf(await stage.send('/v1/merchant/destinations', backend), [201])
    await confirmByHand(stage.lane.app, made)
    await run({ receiver, ask: (key) => askQuote(stage, key) })
  } finally {
    await receiver.stop()
  }
}

/** Requests a quote, and does not wait for the answer: time stands still, but a waiting call counts by its own clock. */
async function askQuote(stage: Stage, key: string): Promise<Asking> {
  const before = (await quoteIds(stage)).length
  const said = stage.send('/v1/quotes', quoteBody(stage), { idempotencyKey: key })
  said.catch(() => undefined)
  for (;;) {
    const ids = await quoteIds(stage)
    const id = ids.at(-1)
    if (ids.length > before && id !== undefined) return { id, said }
  }
}

async function quoteIds(stage: Stage): Promise<string[]> {
  const rows = await stage.lane.sql<{ id: string }>(
    'select id from quotes where account_id = $1 order by id',
    [stage.account.accountId],
  )
  return rows.map(({ id }) => id)
}

function quoteBody(stage: Stage): object {
  return { merchant_slug: slugOf(stage) }
}

function slugOf({ account }: Stage): string {
  return `edge-${account.accountId.slice(-12)}`
}

/** The first whole millisecond at which the delivery of a quote is due. */
async function dueAt(stage: Stage, quoteId: string): Promise<number> {
  const rows = await stage.lane.sql<{ due: number }>(
    'select ceil(extract(epoch from due_at) * 1000)::float8 as due from deliveries where aggregate_id = $1',
    [quoteId],
  )
  return rows[0]?.due ?? 0
}
