/**
 * Announces that this process is ready, then waits until it gets a signal to stop, or, with `parentPipe`, until the process at the other
 * end of its standard input has ended. It listens before it announces: the parent may send the signal at that very moment, and a signal
 * without a listener would end this process with its children still running.
 */
export async function readyUntilTold(sayReady: () => void, parentPipe = false): Promise<void> {
  const told = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve())
    if (!parentPipe) return
    for (const end of ['end', 'close', 'error']) process.stdin.once(end, () => resolve())
    process.stdin.resume()
  })
  sayReady()
  await told
}
