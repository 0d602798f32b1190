import { spawn } from 'node:child_process'
import type { Command } from 'commander'
import { CommandFailure } from '../failure.ts'
import { sandboxProgram } from '../up/sandbox-world.ts'

export function addSandboxCommand(program: Command): void {
  program
    .command('sandbox')
    .description(
      'Run the outside world of test mode: payment processor, merchant backend and shops. It takes the options of prokura-sandbox.',
    )
    .allowUnknownOption()
    .helpOption(false)
    .argument('[options...]')
    .action(async (args: string[]) => {
      const child = spawn(process.execPath, [sandboxProgram, ...args], { stdio: 'inherit' })
      for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => child.kill(signal))
      const code = await new Promise<number | null>((resolve) => child.once('exit', resolve))
      if (code !== 0 && code !== null) throw new CommandFailure(`The sandbox ended with exit code ${code}.`)
    })
}
