import type { Command } from 'commander'
import { readDatabase } from '../operator/read-database.ts'
import { readTrouble, tellTrouble } from '../operator/trouble.ts'
import { roleConfig } from '../role-config.ts'
import { out, outJson, styled } from '../terminal.ts'
import { browserSection } from './status/browser.ts'
import { relaySection } from './status/relay.ts'
import { retentionSection } from './status/retention.ts'
import type { Section } from './status/section.ts'
import { vaultSection } from './status/vault.ts'
import { workSection } from './status/work.ts'

/** What a person has to look at: work that no worker serves, steps that always fail, calls without an answer. */
const troubleSection: Section = async (pools) => {
  const trouble = await readTrouble(pools)
  return { json: trouble, lines: tellTrouble(trouble).map(({ line }) => styled('red', line)) }
}

/** In the order in which they are printed. */
const sections: readonly Section[] = [workSection, relaySection, troubleSection, retentionSection]

export function defineStatus(command: Command): void {
  command
    .option('--state <dir>', 'the state folder of a running `prokura up`')
    .option('--json', 'print one line of JSON')
    .action(async (options: { state?: string; json?: boolean }) => {
      const config = roleConfig(options.state)
      const told = await readDatabase(config, (parts) =>
        Promise.all(
          [...sections, vaultSection(config), browserSection(config)].map((section) => section(parts.pools)),
        ),
      )
      if (options.json) {
        outJson(Object.assign({}, ...told.map(({ json }) => json)))
        return
      }
      for (const { lines } of told) for (const line of lines) out(line)
    })
}
