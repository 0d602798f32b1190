import { createHash } from 'node:crypto'
import { dirname, join, resolve } from 'node:path'
import { pino } from 'pino'

import { namedChromium, unpackedChromium } from '../../browser/chromium/unpack.ts'
import { openBrowser } from '../../browser/open-browser.ts'
import { createShopper } from '../../browser/shopper/shopper.ts'
import { type Config, processEnvironment, readConfig } from '../../platform/config/config.ts'
import { createFaults } from '../../platform/faults/faults.ts'
import { fileWords } from '../../platform/files/file-trouble.ts'
import { createLog, type Log } from '../../platform/logs/logs.ts'
import { browserIds, chromiumIds, mayBecome, unreachableFolder } from '../../platform/postgres/account.ts'
import { OpenSocket } from '../../platform/vault-client/private-socket.ts'
import { CommandFailure } from '../failure.ts'
import { roleConfig } from '../role-config.ts'
import { runUntilStopped } from '../run-until-stopped.ts'
import { sandboxNamesOf } from '../sandbox-names.ts'
import { stateFiles } from '../up/state-folder.ts'
import { type BrowserFolders, claimInTmp, makeBrowserFolders } from './browser-folders.ts'
import { addedPaymentHosts } from './payment-hosts-file.ts'

/** The browser process. It has a Chromium and a door, and nothing else of the product. */
export async function serveBrowser(options: {
  state: string | undefined
  parentPipe: boolean
  isHeaded: boolean
}): Promise<void> {
  // By itself Node opens its debugger at this signal, which shows all memory to anybody on this machine.
  process.on('SIGUSR1', () => undefined)
  const config = browserConfig(options.state)
  const { chromiumPath, contextsMax, parkedMax, mayRunUnsandboxed } = config.browser
  if (options.isHeaded && chromiumPath === null)
    throw new CommandFailure(
      'The Chromium that comes along has no windows. Set CHROMIUM_PATH to one that has, or leave --headed out.',
    )
  const log = createLog({
    level: config.logLevel,
    role: 'browser',
    destination: pino.destination({ fd: 2, sync: true }),
  })
  const isApart = process.geteuid?.() === 0 && mayBecome(browserIds) && mayBecome(chromiumIds)
  if (!isApart && process.geteuid?.() === 0)
    log.warn('browser: it runs as root, because this system starts no process as another user')
  // While we are root still: these files may be of another user.
  const [sandboxNames, added] = [sandboxNamesOf(config), addedPaymentHosts(config)]
  const folders = await foldersOf(config, isApart)
  if (isApart) layRightsDown()
  const browser = await openBrowser({
    binary: async () =>
      chromiumPath === null ? unpackedChromium(folders.binaries) : namedChromium(resolve(chromiumPath)),
    user: isApart ? chromiumIds : null,
    profiles: folders.profiles,
    mayRunUnsandboxed,
    sandboxNames,
    display: options.isHeaded ? (processEnvironment().DISPLAY ?? ':0') : null,
    shopper: createShopper(),
    folder: folders.doors,
    vaultDoors: config.vaultDoors,
    addedPaymentHosts: added,
    contextsMax,
    parkedMax,
    faults: createFaults(config.faults),
    log,
  }).catch(inWords)
  void tellHowItIs(browser, log)
  await runUntilStopped({ role: 'browser', doors: folders.doors, pid: process.pid }, options.parentPipe, () =>
    browser.close(),
  )
}

/** Under `up` the environment alone, in which nothing stands that is not the browser's. */
function browserConfig(state: string | undefined): Config {
  const env = processEnvironment()
  return env.PROKURA_BROWSER_DOORS && state === undefined ? readConfig(env) : roleConfig(state)
}

/** Below the state folder, or in /tmp where Chromium's user could not enter that. */
async function foldersOf({ stateDir, browser }: Config, isApart: boolean): Promise<BrowserFolders> {
  const own = join(resolve(stateDir), stateFiles.browser)
  const closed = isApart
    ? await unreachableFolder(dirname(own), { ...chromiumIds, spawn: chromiumIds })
    : undefined
  if (closed === undefined) return makeBrowserFolders(own, browser.doors, isApart)
  const home = join('/tmp', `prokura-browser-${createHash('sha256').update(own).digest('hex').slice(0, 16)}`)
  claimInTmp(home)
  return makeBrowserFolders(home, browser.doors, isApart)
}

/**
 * From here on this process is the browser's user. Root's rights stay in reserve for one thing: to start and end Chromium as a user of its
 * own, which `asRoot` does.
 */
function layRightsDown(): void {
  process.setgroups?.([])
  process.setegid?.(browserIds.gid)
  process.seteuid?.(browserIds.uid)
}

/** It looks at its Chromium as soon as it is there, so that a person knows before the first purchase. */
async function tellHowItIs(browser: Awaited<ReturnType<typeof openBrowser>>, log: Log): Promise<void> {
  const { chromium, sandbox, remedy, serves, payment_hosts } = await browser.health()
  if (remedy === null) log.info({ chromium, sandbox, serves, payment_hosts }, 'browser: Chromium is usable')
  else log.warn({ chromium, sandbox, serves, payment_hosts }, `browser: ${remedy}`)
}

function inWords(error: unknown): never {
  const words = error instanceof OpenSocket ? `${error.message}.` : fileWords(error)
  throw words === null ? error : new CommandFailure(`The browser process cannot open its door. ${words}`)
}
