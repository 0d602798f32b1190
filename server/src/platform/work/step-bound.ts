/** Set when a step has taken longer than any step may. */
export type Bound = { isOver: boolean }

/** The step was given up; if it still hangs somewhere, it commits nothing more. */
class StepTookTooLong extends Error {
  override readonly name = 'StepTookTooLong'

  constructor(ms: number) {
    super(`the step took longer than ${ms / 1000} seconds`)
  }
}

/** Waits for a step, but no longer than `ms`: a step that never ends must not keep its place for ever. */
export async function withinTime(step: Promise<void>, bound: Bound, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      bound.isOver = true
      reject(new StepTookTooLong(ms))
    }, ms)
  })
  try {
    await Promise.race([step, over])
  } finally {
    clearTimeout(timer)
  }
}
