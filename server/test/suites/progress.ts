let moves = 0

/** Something was done, asked or answered that was not before: the run gets on. Reading again what has not come yet is no progress. */
export function moved(): void {
  moves += 1
}

const toldEveryMs = 15_000

/** Says now and then that the run gets on, only while it does: whoever runs it ends what has nothing to say. */
export function tellProgress(name: string, tally: { passed: number; failed: number }): { stop(): void } {
  let told = moves
  const startedMs = performance.now()
  const timer = setInterval(() => {
    if (moves === told) return
    told = moves
    const seconds = Math.round((performance.now() - startedMs) / 1000)
    console.log(`… ${name} ${seconds} s, ${tally.passed} passed, ${tally.failed} failed so far`)
  }, toldEveryMs)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}
