import type { Pools } from '../../../platform/database/pool.ts'

/** A part of `prokura status`: what it adds to the JSON, and its lines for people. */
export type Section = (
  pools: Pick<Pools, 'read'>,
) => Promise<{ json: Readonly<Record<string, unknown>>; lines: readonly string[] }>
