import { type Command, InvalidArgumentError } from 'commander'
import { mcpConfiguration } from '../../contract/mcp-configuration.ts'
import { consoleAddress } from '../../domain/accounts/people/public.ts'
import { processEnvironment } from '../../platform/config/config.ts'
import { isThere } from '../../platform/files/file-trouble.ts'
import { money, note, out, outJson, styled } from '../terminal.ts'
import { readyUntilTold } from '../up/ready-until-told.ts'
import { startUp, type Up } from '../up/start-up.ts'
import { stateFiles } from '../up/state-folder.ts'
import { portNumber, wholeNumber } from '../whole-number.ts'

type UpOptions = {
  state: string
  port?: number
  json?: boolean
  loopback: boolean
  testClock?: boolean
  workers: number
  account?: string
  shop: string[]
}

export function defineUp(command: Command): void {
  command
    .option(
      '--state <dir>',
      'the folder for data and keys',
      processEnvironment().PROKURA_STATE_DIR ?? '.prokura',
    )
    .option(
      '--port <n>',
      'the port of the API; 0 takes a free one (default: PORT, else the port last used in this folder, else 3000)',
      portNumber,
    )
    .option('--workers <n>', 'the number of worker processes', wholeNumber(1, 32), 1)
    .option(
      '--test-clock',
      'give the database a clock that `prokura clock advance` can move; never for real data',
    )
    .option('--no-loopback', 'refuse webhook endpoints on this machine or over plain http in test mode too')
    .option(
      '--account <id>',
      'continue with this account of the database and new keys, if account.json was lost',
    )
    .option(
      '--shop <name=port>',
      'a shop of your own at this port of 127.0.0.1, bought from in test mode as https://NAME.shop.test; repeat it for several',
      shopAtPort,
      [],
    )
    .option('--json', 'print one line of JSON when ready, and otherwise only warnings')
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

/** Read before anything starts; a name that the sandbox has already is refused by the sandbox. */
function shopAtPort(text: string, before: string[]): string[] {
  const [, port] = /^[a-z][a-z0-9-]{0,29}=(\d{1,5})$/.exec(text) ?? []
  if (port === undefined || Number(port) < 1 || Number(port) > 65_535)
    throw new InvalidArgumentError('It must be a name and a port, for example mine=8080.')
  return [...before, text]
}

function describe({ ready, state }: Up): void {
  const { base_url, keys, sandbox } = ready
  const mcpFile = state.file(stateFiles.mcp)
  out('')
  out(`${styled('bold', 'Prokura is ready')} at ${styled('cyan', base_url)}`)
  out(`  reference   ${base_url}/docs`)
  out(`  tools       ${base_url}/mcp/v1 (Model Context Protocol)`)
  out(`  console     ${consoleAddress({ publicUrl: base_url })} (\`prokura people invite\` lets a person in)`)
  out(`  keys        ${state.file(stateFiles.account)} (only you can read it)`)
  const kept = [stateFiles.encryptionKeys, stateFiles.vaultMasterKeys].filter((name) =>
    isThere(state.file(name)),
  )
  if (kept.length > 0)
    out(
      `  to keep     ${kept.join(' and ')} in ${state.path}: what is sealed can be read with them alone, so copy them`,
    )
  out(`  to buy      ${sandbox.item_url} for ${money(sandbox.item_price, sandbox.item_currency)}`)
  out('')
  out(`${styled('bold', 'Next')}, connect an agent. The MCP configuration for its host is in ${mcpFile}`)
  // Only on a terminal: a file or a log is read by others.
  if (process.stdout.isTTY) {
    out('(only you can read it). Paste this as it is:')
    out('')
    out(JSON.stringify(mcpConfiguration(base_url, keys.agent_test), null, 2))
    out('')
  } else out('(only you can read it), with the key of the agent.')
  out(
    'The agent can shop, and cannot approve its own purchases. docs/buyers.md goes on from here: it sets up',
  )
  out('a person with a card and a policy, and buys something.')
  out('')
  out(
    styled(
      'dim',
      'Ctrl-C stops everything. After that, `./prokura reset` removes everything that it stored.',
    ),
  )
}
