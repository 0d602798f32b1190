import type { Pools } from '../../platform/database/pool.ts'

/** A part of `prokura status`: read, then said in JSON under its own name, and in lines for people. */
export type Section = {
  readonly name: string
  read(pools: Pick<Pools, 'read'>): Promise<{ json: unknown; lines: readonly string[] }>
}
