import { CommandFailure } from '../failure.ts'

/** Listens; if the port cannot be used, the error names the setting in words. `isNamed`: it takes no port that nobody knows. */
export async function onPort<T>(
  { host, port, setting, isNamed }: { host: string; port: number; setting: string; isNamed?: boolean },
  listen: () => Promise<T>,
): Promise<T> {
  try {
    return await listen()
  } catch (error) {
    switch (error instanceof Error && 'code' in error ? error.code : null) {
      case 'EADDRINUSE':
        throw new CommandFailure(
          `Port ${port} of ${host} is taken. Stop the program that listens there, or set ${setting} to another port${isNamed ? '' : ', or to 0 for any free port'}.`,
        )
      case 'EACCES':
        throw new CommandFailure(
          `This user may not listen on port ${port} of ${host}. Set ${setting} to a port above 1023.`,
        )
      case 'EADDRNOTAVAIL':
      case 'ENOTFOUND':
        throw new CommandFailure(
          `${host} is not an address of this machine. Correct the host that goes with ${setting}.`,
        )
      default:
        throw error
    }
  }
}
