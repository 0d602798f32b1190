import type { Child } from './child.ts'
import { freePort } from './free-port.ts'
import { type StateFolder, stateFiles } from './state-folder.ts'

const triesMax = 3

/**
 * The sandbox keeps its ports from start to start: merchants' endpoints point there. A port that was free when it was chosen may be
 * somebody else's a moment later; then it starts with another one.
 */
export async function startSandbox(
  state: Pick<StateFolder, 'file' | 'read' | 'write'>,
  start: (args: string[]) => Promise<Child>,
  shopsElsewhere: readonly string[] = [],
): Promise<Child> {
  for (let tries = 1; ; tries++) {
    try {
      const others = shopsElsewhere.flatMap((shop) => ['--shop', shop])
      return await start([...(await sandboxArguments(state)), ...others])
    } catch (error) {
      const isTaken = error instanceof Error && error.message.includes('EADDRINUSE')
      if (!isTaken || tries === triesMax) throw error
    }
  }
}

const services = ['processor', 'merchant', 'shops', 'catalog', 'stripe', 'link', 'strangers', 'strangers-web']

async function sandboxArguments(state: Pick<StateFolder, 'file' | 'read' | 'write'>): Promise<string[]> {
  const known = state.read<Record<string, number>>(stateFiles.ports) ?? {}
  const ports: Record<string, number> = {}
  for (const service of services) ports[service] = await freePort(known[service], Object.values(ports))
  state.write(stateFiles.ports, ports)
  const named = Object.entries(ports).flatMap(([service, port]) => [`--${service}-port`, String(port)])
  return ['--state', state.file('sandbox'), '--json', '--parent-pipe', ...named]
}
