/** One limit of a caller, as the table of limits has it. */
export type LimitSpec = {
  /** The setting that changes it. */
  readonly setting: `PROKURA_LIMIT_${string}`
  readonly default: number
  readonly max: number
  /** What is counted, over which time, and the answer beyond the limit. */
  readonly description: string
  /** The name of the limit in a refusal, for those that `platform/limits` counts. */
  readonly scope?: string
  /** For a rate: the seconds over which it is counted. Without it the limit is a number at once. */
  readonly windowSeconds?: number
  /** For a number at once: how many all accounts together have in one process. */
  readonly together?: string
  /** For a number at once: each agent of an account has its own. */
  readonly isOfAgent?: true
}
