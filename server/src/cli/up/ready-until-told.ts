/**
 * Says that this process is ready, then waits until somebody tells it to stop, or, with `parentPipe`, until whoever holds the other end of
 * its standard input is gone. It listens before it speaks: who hears that it is ready may tell it to stop in the same moment, and a signal
 * that nobody listens for would end it with its children still running.
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
