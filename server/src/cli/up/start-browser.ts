import { createHash } from 'node:crypto'
import { dirname, join } from 'node:path'
import { createBrowserPort } from '../../channels/browser/browser-port.ts'
import { browserDoor } from '../../channels/browser/shopping-wire.ts'
import { settingsTable } from '../../platform/config/settings-table.ts'
import { claimInTmp } from '../browser/browser-folders.ts'
import type { Child } from './child.ts'
import { type StateFolder, stateFiles } from './state-folder.ts'

/** A socket's path ends at 103 bytes on macOS, and at 107 on Linux. */
const socketPathMax = 103

/** Where the door of this state folder is: inside it, or, below a long path, in /tmp under a name that follows from the path. */
export function browserDoorsFolder(state: StateFolder): string {
  const inside = join(state.file(stateFiles.browser), 'doors')
  if (Buffer.byteLength(join(inside, browserDoor)) <= socketPathMax) return inside
  const name = `prokura-browser-door-${createHash('sha256').update(inside).digest('hex').slice(0, 16)}`
  return join('/tmp', name, 'doors')
}

/** What the browser process needs of the settings that all roles share. */
const shared = [
  'PROKURA_STATE_DIR',
  'PROKURA_BROWSER',
  'PROKURA_BROWSER_DOORS',
  'PROKURA_BROWSER_CONTEXTS',
  'PROKURA_BROWSER_PARKED',
  'PROKURA_PAYMENT_HOSTS',
  'PROKURA_SANDBOX_NAMES_FILE',
  'PROKURA_VAULT_DOORS',
  'PROKURA_LOG_LEVEL',
  'PROKURA_FAULTS',
  'PROKURA_CRASH_AT',
  'PROKURA_CRASH_FILE',
  'PROKURA_PAUSE_AT',
  'PROKURA_PAUSE_FILE',
]

/** Every other setting is as not set: this process reads pages of strangers, and has no use for a secret. */
export function browserEnvironment(
  environment: Readonly<Record<string, string>>,
  chromiumPath: string | null,
): Record<string, string> {
  const known = Object.keys(settingsTable).map((name) => [
    name,
    shared.includes(name) ? (environment[name] ?? '') : '',
  ])
  return {
    ...Object.fromEntries(known),
    // It counts only where Chromium has no sandbox, and for test mode alone.
    PROKURA_BROWSER_UNSANDBOXED: 'test',
    ...(chromiumPath === null ? {} : { CHROMIUM_PATH: chromiumPath }),
  }
}

/** Starts the browser process, and tells people what it lacks as soon as that is known. */
export async function startBrowser(
  doors: string,
  start: () => Promise<Child>,
  warn: (line: string) => void,
): Promise<Child> {
  if (doors.startsWith('/tmp/')) claimInTmp(dirname(doors))
  const child = await start()
  // The first start unpacks Chromium, which nobody who only wants an API has to wait for.
  void createBrowserPort(doors)
    .health()
    .then((health) => {
      if (health?.remedy)
        warn(
          `The browser runs ${health.serves.length === 0 ? 'not at all' : 'for test mode alone, and without a sandbox'}. ${health.remedy}`,
        )
    })
  return child
}
