import type { Command } from 'commander'
import { crashPoints } from '../../platform/faults/faults.ts'
import { out, outJson } from '../terminal.ts'

export function addCrashPointsCommand(program: Command): void {
  program
    .command('crash-points')
    .description(
      'List the points at which PROKURA_CRASH_AT and PROKURA_PAUSE_AT can stop a process (with PROKURA_FAULTS=on).',
    )
    .option('--json', 'print one line of JSON')
    .action((options: { json?: boolean }) => {
      if (options.json) outJson({ crash_points: crashPoints })
      else for (const point of crashPoints) out(point)
    })
}
