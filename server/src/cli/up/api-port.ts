import { processEnvironment, readConfig } from '../../platform/config/config.ts'
import { CommandFailure } from '../failure.ts'
import { freePort, listensOn } from './free-port.ts'
import { type StateFolder, stateFiles } from './state-folder.ts'

/** The port of the API when none is configured. */
const defaultPort = 3000

/** The port of the last start is kept, so that clients which were configured with it continue to work. */
export async function apiPort(
  asked: number | null,
  state: Pick<StateFolder, 'file' | 'read'>,
  progress: (line: string) => void,
): Promise<number> {
  if (asked !== null) return freePort(asked === 0 ? undefined : asked)
  const usual = usualPort(state)
  const port = await freePort(usual)
  // Printed at every start: a client that tries the usual port finds another program there, or none.
  if (port !== usual) progress(`Port ${usual} is taken, so the API uses port ${port}`)
  else if (port !== defaultPort)
    progress(
      `The API uses port ${port}, as at the last start. ${state.file(stateFiles.environment)} keeps it; --port names another one`,
    )
  return port
}

/** The port that the service of this folder used last; at the first start the default. */
export function usualPort(state: Pick<StateFolder, 'read'>): number {
  const kept = Number(state.read<Record<string, string>>(stateFiles.environment)?.PORT ?? Number.NaN)
  return Number.isNaN(kept) ? defaultPort : kept
}

/** The port that an option or the environment names; null leaves the choice to us. */
export function askedPort(option: number | undefined): number | null {
  if (option !== undefined) return option
  const env = processEnvironment()
  return env.PORT ? readConfig(env).port : null
}

/** Checked before anything is started, so that the failure shows at once. */
export async function assertFree(port: number): Promise<void> {
  if ((await listensOn(port)) !== null) return
  throw new CommandFailure(`Port ${port} is taken. Name another port with --port, or 0 for any free port.`)
}
