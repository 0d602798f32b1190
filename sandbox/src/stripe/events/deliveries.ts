import { setTimeout as wait } from 'node:timers/promises'
import { BadRequest, integer } from '../../fields.ts'
import { postJson } from '../../http-client.ts'
import { json, type Route } from '../../json-server.ts'
import { accountNamed } from '../accounts.ts'
import type { Endpoint, Memory, StripeEvent } from '../memory.ts'
import { seconds } from '../work.ts'
import { renderEvent } from './render-event.ts'
import { signatureOf } from './signature.ts'

/** Stripe tries for three days; here the waits are short, and the tries end with the process. */
const triesMax = 12

const answerWithinMs = 10_000

/**
 * `early`: who has caused an event gets the answer after the endpoint was told. `held`: nobody is told before the control door says so, which is
 * how an event comes late, or after a newer one.
 */
const ways = ['once', 'twice', 'early', 'held'] as const

type Delivery = { readonly event: StripeEvent; readonly endpoint: Endpoint }

/** Tells the endpoints of an account what has happened, signed, again and again until they answer that they have it. */
export function openDeliveries(memory: Memory, pagesUrl: () => string) {
  let way: (typeof ways)[number] = 'once'
  let retryMs = 250
  let held: Delivery[] = []
  const early = new Set<Promise<void>>()
  const ended = new AbortController()

  function send(event: StripeEvent, endpoints: readonly Endpoint[]): void {
    for (const endpoint of endpoints) {
      const delivery = { event, endpoint }
      if (way === 'held') held.push(delivery)
      else if (way === 'early') follow(early, firstTry(delivery))
      else for (let n = way === 'twice' ? 2 : 1; n > 0; n--) void firstTry(delivery)
    }
  }

  /** Ends with the first answer, or without one; the tries after it go on by themselves. */
  async function firstTry(delivery: Delivery): Promise<void> {
    if (!(await isTaken(delivery))) void retry(delivery).catch(() => undefined)
  }

  async function retry(delivery: Delivery): Promise<void> {
    for (let tries = 1; tries < triesMax; tries++) {
      await wait(retryMs * 2 ** Math.min(tries - 1, 6), undefined, { signal: ended.signal, ref: false })
      if (await isTaken(delivery)) return
    }
  }

  async function isTaken({ event, endpoint }: Delivery): Promise<boolean> {
    const now = memory.endpoints.get(endpoint.id)
    const account = accountNamed(event.owner)
    if (now === undefined || now.is_disabled || account === null) return true
    const shown = { memory, account, expands: new Set<string>(), pagesUrl: pagesUrl() }
    const body = JSON.stringify(renderEvent(event, shown))
    // The age of a message is what its reader's clock says of it.
    const headers = { 'stripe-signature': signatureOf(body, { secret: now.secret, at: seconds(Date.now()) }) }
    try {
      const said = await postJson({
        url: now.url,
        body,
        headers,
        timeoutMs: answerWithinMs,
        signal: ended.signal,
      })
      return said.status >= 200 && said.status < 300
    } catch {
      return false
    }
  }

  const control = { method: 'POST', isControl: true } as const
  const controls: Route[] = [
    {
      ...control,
      path: '/control/webhooks',
      handle: (call) => {
        const { deliver = way, retry_ms } = call.body()
        const named = ways.find((one) => one === deliver)
        if (named === undefined) throw new BadRequest(`deliver must be one of ${ways.join(', ')}`)
        way = named
        if (retry_ms !== undefined) retryMs = integer({ retry_ms }, 'retry_ms', { min: 1, max: 3_600_000 })
        return json(200, { deliver: way, retry_ms: retryMs })
      },
    },
    {
      ...control,
      path: '/control/webhooks/release',
      async handle(call) {
        const { reversed = false } = call.raw.length === 0 ? {} : call.body()
        const all = reversed === true ? held.toReversed() : held
        held = []
        // One after the other, so that the order is the one that was asked for.
        for (const delivery of all) await firstTry(delivery)
        return json(200, { released: all.length })
      },
    },
  ]
  return {
    send,
    controls,
    async early() {
      await Promise.all(early)
    },
    close: () => ended.abort(),
  }
}

/** Those of an account that an event of this type goes to. */
export function endpointsOf(
  memory: Memory,
  { owner, type }: Pick<StripeEvent, 'owner' | 'type'>,
): Endpoint[] {
  return [...memory.endpoints.values()].filter(
    (one) =>
      one.owner === owner &&
      !one.is_disabled &&
      (one.enabled_events.includes('*') || one.enabled_events.includes(type)),
  )
}

function follow(running: Set<Promise<void>>, one: Promise<void>): void {
  running.add(one)
  void one.finally(() => running.delete(one))
}
