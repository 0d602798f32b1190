import type { Command } from 'commander'

export function defineBrowser(command: Command): void {
  command
    .option(
      '--state <dir>',
      'the state folder of a running `prokura up` to join (default: all settings come from the environment)',
    )
    .option('--parent-pipe', 'stop when standard input closes')
    .option(
      '--headed',
      'show its windows on the screen; CHROMIUM_PATH has to name a Chromium that has windows',
    )
    .addHelpText(
      'after',
      `
It has no database, no keys and no secrets. If root starts it, it runs as user 47314 and Chromium as user
47315. Without a sandbox of Chromium's own, live mode is refused; \`prokura status\` says how it is.`,
    )
    .action(async (options: { state?: string; parentPipe?: boolean; headed?: boolean }) => {
      const { serveBrowser } = await import('../browser/serve-browser.ts')
      await serveBrowser({
        state: options.state,
        parentPipe: options.parentPipe ?? false,
        isHeaded: options.headed ?? false,
      })
    })
}
