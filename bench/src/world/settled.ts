import { setTimeout as delay } from 'node:timers/promises'
import type { World } from './world.ts'

const patienceMs = 120_000

// As the indexes of what is due have it, so that the question costs the same however many purchases there are. What is tried again in an hour
// is of no purchase that was measured.
const isAnyOpen = `
  select exists (select from carts where is_due) or exists (select from carts where not is_due)
    or exists (select from due_deliveries where due_at < now() + interval '30 minutes') or exists (select from outbox) as open`

/** Waits until nothing that follows from purchases is under way any more. */
export async function settled({ database }: Pick<World, 'database'>): Promise<void> {
  const endsAt = performance.now() + patienceMs
  for (;;) {
    const { rows } = await database.query<{ open: boolean }>(isAnyOpen)
    if (!rows[0]?.open) return
    if (performance.now() > endsAt)
      throw new Error(`purchases are still under way after ${patienceMs / 1000} s`)
    await delay(25)
  }
}
