import type { Command } from 'commander'
import { crashPoints } from '../../platform/faults/faults.ts'
import { out, outJson } from '../terminal.ts'

export function defineCrashPoints(command: Command): void {
  command.option('--json', 'print one line of JSON').action((options: { json?: boolean }) => {
    if (options.json) outJson({ crash_points: crashPoints })
    else for (const point of crashPoints) out(point)
  })
}
