/** Set once a step has taken longer than any may. */
export type Bound = { isOver: boolean }

/** The step was given up; where it still hangs it commits nothing more. */
export class StepTookTooLong extends Error {
  override readonly name = 'StepTookTooLong'

  constructor(ms: number) {
    super(`the step took longer than ${ms / 1000} seconds`)
  }
}

/** Waits for a step, so long at most: one that never ends must not keep its place for ever. */
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
