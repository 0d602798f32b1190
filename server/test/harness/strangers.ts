import { setTimeout as delay } from 'node:timers/promises'
import type { Mode } from '../../src/contract/context.ts'
import { addEntry, registryAccount, removeEntry } from '../../src/domain/discovery/registry/public.ts'
import { runAs } from '../../src/platform/calls/run-as.ts'
import { patience } from '../gate/pace.ts'
import type { Buying } from './buying.ts'

type Channel = Parameters<typeof addEntry>[1]['channel']

/** An entry of what a shop testifies. */
type Testimony = {
  kind: string
  result: string
  cart: string | null
  order: string | null
  email: string | null
  amount: number | null
  signed?: boolean | 'invalid'
}

/** The shops of the sandbox that know nothing of us, and what they testify. */
export function openStrangers({ app, sandbox, sql }: Pick<Buying, 'app' | 'sandbox' | 'sql'>) {
  return {
    /** Adds a shop to the registry of a mode as an operator does, and waits until a worker has looked at it. */
    async know(
      host: string,
      channel: Channel = null,
      hosts: readonly string[] = [],
      mode: Mode = 'test',
    ): Promise<void> {
      const tenant = { accountId: registryAccount, mode } as const
      const actor = { type: 'system', id: 'operator:test' } as const
      const origin = `https://${host}`
      await runAs(app.parts, { tenant, actor }, (ctx) =>
        addEntry(ctx, { origin, channel, name: null, hosts }),
      )
      if (channel === 'browser') return
      const wait = patience(25_000)
      const isLookedAt = async () =>
        (await sql('select 1 from registry_entries where origin = $1 and looked_at is not null', [origin]))
          .length > 0
      while (!(await isLookedAt())) {
        if (wait.isOver()) throw new Error(`nobody looks at ${origin}`)
        await delay(20)
      }
    },
    /** Removes it again. */
    async forget(host: string): Promise<void> {
      const [entry] = await sql<{ id: string }>('select id from registry_entries where origin = $1', [
        `https://${host}`,
      ])
      const tenant = { accountId: registryAccount, mode: 'test' } as const
      const actor = { type: 'system', id: 'operator:test' } as const
      await runAs(app.parts, { tenant, actor }, (ctx) => removeEntry(ctx, entry?.id ?? ''))
    },
    async log(shop: string): Promise<Testimony[]> {
      return JSON.parse(await (await fetch(`${sandbox.strangersUrl}/${shop}/log`)).text())
    },
    async orders(shop: string): Promise<Record<string, unknown>[]> {
      return JSON.parse(await (await fetch(`${sandbox.strangersUrl}/${shop}/orders`)).text())
    },
    /** The newest code that the shop has mailed to a customer of its own. */
    async mailedCode(shop: string, to: string): Promise<string> {
      const address = `${sandbox.strangersUrl}/${shop}/mail?to=${encodeURIComponent(to)}`
      const response = await fetch(address, { headers: { authorization: `Bearer ${sandbox.controlToken}` } })
      return String(JSON.parse(await response.text()).code)
    },
    /** That many days pass at the shop. */
    async days(shop: string, days: number): Promise<void> {
      const response = await fetch(`${sandbox.strangersUrl}/${shop}/control/days`, {
        method: 'POST',
        headers: { authorization: `Bearer ${sandbox.controlToken}`, 'content-type': 'application/json' },
        body: JSON.stringify({ days }),
      })
      if (!response.ok) throw new Error(`the days do not pass: ${await response.text()}`)
    },
  }
}
