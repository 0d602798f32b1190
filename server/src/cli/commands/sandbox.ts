import { spawn } from 'node:child_process'
import type { Command } from 'commander'
import { programFiles } from '../../platform/files/program-files.ts'
import { CommandFailure } from '../failure.ts'

export function defineSandbox(command: Command): void {
  command
    .allowUnknownOption()
    .helpOption(false)
    .argument('[options...]')
    .action(async (args: string[]) => {
      const child = spawn(process.execPath, [programFiles.sandbox, ...args], { stdio: 'inherit' })
      for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => child.kill(signal))
      const code = await new Promise<number | null>((resolve) => child.once('exit', resolve))
      if (code !== 0 && code !== null) throw new CommandFailure(`The sandbox ended with exit code ${code}.`)
    })
}
