import { outJson } from './terminal.ts'
import { readyUntilTold } from './up/ready-until-told.ts'

/** Announces that it is ready, then runs until it gets a signal to stop or its parent has ended; then `stop` has eight seconds. */
export async function runUntilStopped(
  ready: object,
  parentPipe: boolean,
  stop: () => Promise<void>,
): Promise<void> {
  await readyUntilTold(() => outJson(ready), parentPipe)
  const patience = setTimeout(() => process.exit(1), stopPatienceMs)
  patience.unref()
  await stop()
  process.stdin.destroy()
  clearTimeout(patience)
}

const stopPatienceMs = 8000
