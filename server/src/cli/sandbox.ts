import { spawn } from 'node:child_process'
import type { Command } from 'commander'
import { CommandFailure } from './failure.ts'
import { sandboxProgram } from './sandbox-world.ts'

export function addSandboxCommand(program: Command): void {
  program
    .command('sandbox')
    .description(
      "Run test mode's outside world: payment processor, merchant backend and shops. Takes prokura-sandbox's options.",
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
