import { mcpConfiguration } from '../../contract/mcp-configuration.ts'
import type { Config } from '../../platform/config/config.ts'
import { type OpenedAccount, openAdministration } from '../operator/administer.ts'
import { firstAccount } from './first-account.ts'
import { type SandboxFacts, type SandboxUrls, sandboxFacts, seedSandbox } from './sandbox-world.ts'
import { shareTestDomains } from './share-test-domains.ts'
import { type StateFolder, stateFiles } from './state-folder.ts'

type SettleFacts = {
  config: Config
  state: StateFolder
  /** The account of the database to continue with, where the folder does not name one. */
  account: string | undefined
  baseUrl: string
  urls: SandboxUrls
  hasWorker: boolean
  hasBrowser: boolean
  onProgress: (line: string) => void
  /** Starts the processes that serve. They need the keys, and the sandbox's merchants are made through their API. */
  startRoles: () => Promise<void>
}

/** The account of the service and the world of its sandbox, on a database that is up to date. */
export async function settleIn(
  facts: SettleFacts,
): Promise<{ account: OpenedAccount; sandbox: SandboxFacts }> {
  const { config, state, baseUrl, urls, onProgress } = facts
  const { during, close } = await openAdministration(config)
  try {
    const account = await during((admin) => firstAccount(admin, state, facts.account))
    state.write(stateFiles.mcp, mcpConfiguration(baseUrl, account.keys.agent_test))
    if (config.sharesTestDomains) await during((admin) => shareTestDomains(admin, onProgress))
    await facts.startRoles()
    await seedSandbox({ ...facts, account, administer: during })
    return { account, sandbox: sandboxFacts(urls) }
  } finally {
    await close()
  }
}
