import type { Command } from 'commander'
import { createRelay } from '../platform/events/relay.ts'
import { createWorker } from '../platform/work/worker.ts'
import { openWork } from '../work.ts'
import { openRole, runUntilStopped } from './role.ts'
import { roleConfig } from './role-config.ts'

export function addWorkerCommand(program: Command): void {
  program
    .command('worker')
    .description(
      'Run a worker process: it relays events and does due work. Any number of them can share one database.',
    )
    .option(
      '--state <dir>',
      'the state folder of a running `prokura up` to join; without it the environment alone decides',
    )
    .option('--parent-pipe', 'stop when standard input closes')
    .action(async (options: { state?: string; parentPipe?: boolean }) => {
      const config = roleConfig(options.state)
      const role = await openRole(
        'worker',
        config,
        config.publicUrl ?? `http://${config.host}:${config.port}`,
      )
      const { parts, log, metrics, faults } = role
      const work = openWork({
        railUrl: config.railUrl,
        sandboxUrl: config.sandboxUrl,
        allowLoopback: config.allowLoopback,
        log,
        metrics,
      })
      const deps = { ...parts, log, metrics, faults }
      const relay = createRelay({ ...deps, followers: work.followers })
      const worker = createWorker({ ...deps, kinds: work.kinds })
      relay.start()
      worker.start()
      const ready = { role: 'worker', metrics_url: role.metricsServer?.url ?? null, pid: process.pid }
      await runUntilStopped(ready, options.parentPipe ?? false, async () => {
        role.metricsServer?.stopping()
        await Promise.all([worker.stop(), relay.stop()])
        await work.close()
        await parts.close()
      })
    })
}
