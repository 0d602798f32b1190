/** Set when a step has taken longer than any step may. */
export type Bound = { isOver: boolean }

/** The step was given up; if it still hangs somewhere, it commits nothing more. */
class StepTookTooLong extends Error {
  override readonly name = 'StepTookTooLong'

  constructor(ms: number) {
    super(`the step took longer than ${ms / 1000} seconds`)
  }
}

/** How long one step may take: `ms`, and as long again from each `restart`. A step that never ends must not keep its place for ever. */
export function openBound(ms: number): {
  readonly bound: Bound
  restart(): void
  /** Waits for the step, but no longer than it may take. */
  wait(step: Promise<void>): Promise<void>
} {
  const bound: Bound = { isOver: false }
  let timer: NodeJS.Timeout | undefined
  let giveUp: () => void = () => undefined
  const restart = () => {
    clearTimeout(timer)
    timer = setTimeout(() => giveUp(), ms)
  }
  return {
    bound,
    restart,
    async wait(step) {
      const over = new Promise<never>((_resolve, reject) => {
        giveUp = () => {
          bound.isOver = true
          reject(new StepTookTooLong(ms))
        }
      })
      restart()
      try {
        await Promise.race([step, over])
      } finally {
        clearTimeout(timer)
      }
    },
  }
}
