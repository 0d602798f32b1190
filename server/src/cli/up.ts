import type { Command } from 'commander'
import { mcpConfiguration } from '../contract/mcp-configuration.ts'
import { processEnvironment } from '../platform/config/config.ts'
import { readyUntilTold } from './ready-until-told.ts'
import { startUp, type Up } from './start-up.ts'
import { stateFiles } from './state-folder.ts'
import { money, note, out, outJson, styled } from './terminal.ts'
import { portNumber, wholeNumber } from './whole-number.ts'

export type UpOptions = {
  state: string
  port?: number
  json?: boolean
  loopback: boolean
  testClock?: boolean
  workers: number
  account?: string
}

export function addUpCommand(program: Command): void {
  program
    .command('up')
    .description('Start the whole service: database, API, worker and the sandbox. Ctrl-C ends all of it.')
    .option(
      '--state <dir>',
      'where data and keys are kept',
      processEnvironment().PROKURA_STATE_DIR ?? '.prokura',
    )
    .option(
      '--port <n>',
      'where the API listens; 0 takes a free port (default: PORT, else the last one used here, else 3000)',
      portNumber,
    )
    .option('--workers <n>', 'worker processes', wholeNumber(1, 32), 1)
    .option('--test-clock', 'a database whose clock `prokura clock advance` can move; never for real data')
    .option('--no-loopback', 'refuse loopback and plain-http webhook endpoints in test mode, too')
    .option(
      '--account <id>',
      'go on with this account of the database, under new keys, where account.json was lost',
    )
    .option('--json', 'print one line of JSON when ready, and nothing else but warnings')
    .action(async (options: UpOptions) => {
      const up = await startUp({
        ...options,
        onProgress: options.json ? () => undefined : note,
        onWarning: note,
      })
      await readyUntilTold(() => (options.json ? outJson(up.ready) : describe(up)))
      if (!options.json) note('Stopping …')
      await up.stop()
    })
}

function describe({ ready, state }: Up): void {
  const { base_url, keys, sandbox } = ready
  const mcpFile = state.file(stateFiles.mcp)
  out('')
  out(`${styled('bold', 'Prokura is ready')} at ${styled('cyan', base_url)}`)
  out(`  reference   ${base_url}/docs`)
  out(`  tools       ${base_url}/mcp/v1 (Model Context Protocol)`)
  out(`  keys        ${state.file(stateFiles.account)} (readable by you alone)`)
  out(`  to buy      ${sandbox.item_url} for ${money(sandbox.item_price, sandbox.item_currency)}`)
  out('')
  out(`${styled('bold', 'Next')}, connect an agent. The MCP configuration for its host is in ${mcpFile}`)
  // Only to the person who looks on: what goes into a file or a log is read by others.
  if (process.stdout.isTTY) {
    out('(readable by you alone), to paste as it is:')
    out('')
    out(JSON.stringify(mcpConfiguration(base_url, keys.agent_test), null, 2))
    out('')
  } else out('(readable by you alone), with its key.')
  out('The agent can shop, and cannot approve its own purchases. docs/buyers.md goes on from here: a person')
  out('with a card, a policy, a purchase.')
  out('')
  out(styled('dim', 'Ctrl-C stops everything. After that, `./prokura reset` removes what it kept.'))
}
