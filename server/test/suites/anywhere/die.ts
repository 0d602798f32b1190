import { chmodSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Child } from '../../../src/cli/up/child.ts'
import { advanceTestClock } from '../../../src/platform/clock/test-clock.ts'
import type { CrashPoint } from '../../../src/platform/faults/faults.ts'
import { patience, patientMs } from '../../gate/pace.ts'
import type { Service } from '../whole-product.ts'
import type { Case, Death } from './cases.ts'
import type { Point } from './shop-pages.ts'
import type { Shopping } from './shopping.ts'

/** Longer than a shop that has confirmed an order is given to charge it, which is a minute: a credential is revoked after that. */
const deathPatienceMs = 90_000
const heirPatienceMs = 15_000
const heirsMax = 3
/** Longer than a lease, and longer than anybody waits for a stranger that is silent. */
const leaseSeconds = 45
/** Longer than a worker waits until it asks a browser or a vault again that was away. */
const awaySeconds = 10
/** When the shop has captured one shipment and given back the rest. */
const settledDays = 7

type Created = Awaited<ReturnType<Shopping['create']>>

type Scene = {
  readonly service: Service
  readonly shopping: Shopping
  readonly crashFile: CrashFile
  readonly purchase: Created
}

/** The file that tells processes of a running service where to die. They run as other users, who may only read it. */
type CrashFile = ReturnType<typeof makeCrashFile>

export function makeCrashFile() {
  const folder = mkdtempSync(join(tmpdir(), 'prokura-anywhere-'))
  chmodSync(folder, 0o755)
  const path = join(folder, 'points')
  return {
    path,
    /** By its process id, because it may be so young that it has not begun. */
    arm(point: CrashPoint, pid: number): void {
      writeFileSync(`${path}.new`, `${point} ${pid}`, { mode: 0o644 })
      renameSync(`${path}.new`, path)
    },
    disarm: () => rmSync(path, { force: true }),
    remove: () => rmSync(folder, { recursive: true }),
  }
}

/** Lets a purchase live through its deaths. Answers what did not happen as it should, and whether nothing is left to do for it at the end. */
export async function liveThrough(scene: Scene, { page, deaths }: Case): Promise<string[]> {
  const { service, shopping, purchase } = scene
  let isApproved = false
  const approve = async () => {
    if (!isApproved) await purchase.approve()
    isApproved = true
  }
  for (const death of deaths) {
    if (death.who === 'worker' && death.point === 'charge.corrected') {
      await approve()
      if (!(await inherit(scene))) return [`${purchase.id} is stuck before its shop sends anything`]
      await shopping.passDays(page.shop, settledDays)
    }
    const hasDied =
      death.who === 'worker'
        ? await workerDies(service, approve, death.point)
        : await otherDies(scene, approve, death)
    if (!hasDied) return [`the ${death.who} did not die ${momentOf(death)}`]
  }
  return (await inherit(scene)) ? [] : [`${purchase.id} is stuck`]
}

export function momentOf(death: Death): string {
  return 'point' in death ? `at ${death.point}` : `after ${death.afterMs} ms`
}

/** The purchase waits for nobody else: what the worker does is done for it. The next worker takes over after the lease. */
async function workerDies(
  { ready, runWorker }: Service,
  approve: () => Promise<void>,
  point: Point,
): Promise<boolean> {
  const doomed = runWorker({ PROKURA_CRASH_AT: point })
  await approve()
  const limit = AbortSignal.timeout(patientMs(deathPatienceMs))
  limit.addEventListener('abort', () => doomed.kill())
  const hasDied = (await doomed.ended) === 'SIGKILL' && !limit.aborted
  await advanceTestClock(ready.database_url, leaseSeconds)
  return hasDied
}

/** Another process dies and is started again, while a worker lives. */
async function otherDies(
  scene: Scene,
  approve: () => Promise<void>,
  death: Exclude<Death, { who: 'worker' }>,
): Promise<boolean> {
  const { service, shopping, crashFile, purchase } = scene
  const before = await untilThere(service, death.who)
  if (before === null) return false
  if ('point' in death) crashFile.arm(death.point, before)
  const worker = await service.startRole('worker')
  try {
    await approve()
    if ('afterMs' in death) {
      if (death.who !== 'api') await shopping.untilOrdered(purchase.id)
      await delay(death.afterMs)
      process.kill(before, 'SIGKILL')
    }
    return await isReplaced(scene, death, before)
  } finally {
    crashFile.disarm()
    await rest(worker)
    await advanceTestClock(service.ready.database_url, awaySeconds)
  }
}

/** It ends what it does, and leaves the rest to those that come after it. */
function rest(worker: Child): Promise<void> {
  return worker.stop(8000)
}

/** One that has died for an earlier purchase may still be away: its return would look like a death of this one. */
async function untilThere(service: Service, who: string): Promise<number | null> {
  const wait = patience(deathPatienceMs)
  while (!wait.isOver()) {
    const pid = service.pids()[who]
    if (pid !== undefined && isAlive(pid)) return pid
    await delay(100)
  }
  return null
}

/** A purchase that ends while everybody lives has not come past its point. Whom we have killed ourselves may live for a moment more. */
async function isReplaced(
  { service, shopping, purchase }: Scene,
  death: Death,
  before: number,
): Promise<boolean> {
  const wait = patience(deathPatienceMs)
  while (service.pids()[death.who] === before) {
    if (wait.isOver()) return false
    const isOver = 'point' in death && (await shopping.isOver(purchase.id))
    if (isOver && isAlive(before)) return false
    await delay(100)
  }
  return true
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Other workers end it, after the dead one's lease. Answers whether nothing is left to do but to wait for the shop's money. */
async function inherit({ service, shopping, purchase }: Scene): Promise<boolean> {
  for (let heirs = 0; heirs < heirsMax; heirs++) {
    const heir = await service.startRole('worker')
    const wait = patience(heirPatienceMs)
    let isOver = await shopping.isOver(purchase.id)
    while (!isOver && !wait.isOver()) {
      await delay(100)
      isOver = await shopping.isOver(purchase.id)
    }
    await rest(heir)
    if (isOver) return true
    await advanceTestClock(service.ready.database_url, leaseSeconds)
  }
  return false
}
