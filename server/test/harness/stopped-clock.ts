import type { Pools } from '../../src/platform/database/pool.ts'

/** A database whose time stands still until a test sets it, so that every deadline can be met to the millisecond. */
export type StoppedClock = {
  now(): Date
  set(at: Date): Promise<void>
  advance(ms: number): Promise<Date>
}

/** Stops the time of a test database. Never undone. The API on it must read its time from the database at every call (`testClock`). */
export async function stopClock(pools: Pick<Pools, 'single'>, at: Date): Promise<StoppedClock> {
  const run = (text: string, values: unknown[] = []) => pools.single({ name: '', text, values })
  await run('create table stopped_clock (at timestamptz not null)')
  await run('insert into stopped_clock values ($1)', [at])
  await run(`create or replace function prokura_now() returns timestamptz language sql stable parallel safe as
    $$ select at from stopped_clock $$`)
  let now = at
  async function set(to: Date): Promise<void> {
    await run('update stopped_clock set at = $1', [to])
    now = to
  }
  return {
    now: () => now,
    set,
    async advance(ms) {
      await set(new Date(now.getTime() + ms))
      return now
    },
  }
}
