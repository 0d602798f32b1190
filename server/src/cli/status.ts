import type { Command } from 'commander'
import { survey } from './administer.ts'
import { roleConfig } from './role-config.ts'
import { relaySection } from './status/relay.ts'
import { retentionSection } from './status/retention.ts'
import type { Section } from './status/section.ts'
import { troubleSection } from './status/trouble.ts'
import { workSection } from './status/work.ts'
import { out, outJson } from './terminal.ts'

/** In the order in which they are told. */
const sections: readonly Section[] = [workSection, relaySection, troubleSection, retentionSection]

export function addStatusCommand(program: Command): void {
  program
    .command('status')
    .description(
      'How the service does: what is under way, what is overdue, unserved or failing, how far the relay is, what is parked. Exit code 0 whenever it can be told.',
    )
    .option('--state <dir>', 'the state folder of a running `prokura up`')
    .option('--json', 'print one line of JSON')
    .action(async (options: { state?: string; json?: boolean }) => {
      const told = await survey(roleConfig(options.state), (parts) =>
        Promise.all(sections.map((section) => section(parts.pools))),
      )
      if (options.json) {
        outJson(Object.assign({}, ...told.map(({ json }) => json)))
        return
      }
      for (const { lines } of told) for (const line of lines) out(line)
    })
}
