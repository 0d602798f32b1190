let moves = 0

/** Counts something new that was done, requested or answered: the run makes progress. Repeated reads of what has not come yet are none. */
export function moved(): void {
  moves += 1
}

const toldEveryMs = 15_000

/** Prints now and then that the run makes progress, only while it does: the gate ends a suite that prints nothing. */
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
