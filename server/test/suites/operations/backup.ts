import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '../../../src/cli/up/free-port.ts'
import type { InvariantReport } from '../../../src/platform/audit/invariants.ts'
import { mainProgram } from '../../harness/built-program.ts'
import { makeStateDir } from '../../harness/database.ts'
import { prokuraAlone, type Service, serviceEnvironment, startService } from '../../harness/up.ts'
import { contradictions, type ToldPurchase } from '../../harness/witness.ts'
import { memberOf } from '../client.ts'
import type { SuiteRun, Tally } from '../suite.ts'
import { type Buyer, buyerAt, buySteadily } from './buyer.ts'

const patienceMs = 30_000
/** Purchases whose merchant has answered already will not end. */
const repeatedPatienceMs = 8_000
/** The files that an operator keeps beside the backup. The sandbox stands for a processor that keeps its memory. */
const keptFiles = ['vault.keys', 'account.json', 'sandbox.json', 'ports.json', 'sandbox']

type Places = { folder: string; old: string; fresh: string; backup: string }

/** A backup of a running service is restored to another service, which goes on from the time of the backup. */
export async function runBackup({ tally }: SuiteRun): Promise<void> {
  const folder = await makeStateDir()
  const at = (name: string) => join(folder, name)
  const places = { folder, old: at('old'), fresh: at('fresh'), backup: at('backup') }
  const before = await startService({ state: places.old, args: ['--port', String(await freePort())] })
  let after: Service | null = null
  try {
    const story = await liveAndBackUp(before, places, tally)
    await before.stop()
    await refuseWhatIsWrong(places, tally)
    await restore(places, tally)
    const { port } = new URL(before.ready.base_url)
    after = await startService({ state: places.fresh, args: ['--port', port] })
    await goOn(after, places, story, tally)
  } finally {
    await after?.stop()
    await before.stop('SIGKILL')
    await rm(folder, { recursive: true, force: true })
  }
}

type Story = {
  profile: string
  /** Acknowledged before the backup began. */
  acknowledged: readonly string[]
  /** Over before the backup began. */
  over: readonly string[]
  /** Waiting for a person in the backup, and approved and bought after it. The backup does not know that. */
  pending: readonly string[]
  /** Waiting for a person in the backup and ever after. */
  untouched: readonly string[]
  /** All purchases, with those after the backup. */
  all: readonly string[]
}

async function liveAndBackUp({ ready }: Service, places: Places, tally: Tally): Promise<Story> {
  const buyer = buyerAt(ready)
  const [attended, profile] = [
    await buyer.profile({ unattended: false }),
    await buyer.profile({ unattended: true }),
  ]
  const ask = (name: string) =>
    Promise.all(
      (['native', 'shop'] as const).flatMap((kind) =>
        [1, 2].map((number) => buyer.ask({ profile: attended, name: `${name}-${kind}-${number}`, kind })),
      ),
    )
  const [pending, untouched] = [await ask('pending'), await ask('untouched')]
  const over = await Promise.all(
    (['native', 'shop'] as const).map((kind) => buyer.ask({ profile, name: `over-${kind}`, kind })),
  )
  const late = await buyer.settle(over, patienceMs)
  if (late.length > 0) throw new Error(`${late.join(', ')} did not get anywhere before the backup`)
  const buying = buySteadily(buyer, { profile, lanes: 4, prefix: 'steady' })
  await buying.until(30)
  const others = [...pending, ...untouched, ...over]
  const acknowledged = [...buying.acknowledged(), ...others]
  const startedMs = performance.now()
  const made = await prokuraAlone(['backup', places.backup, '--state', places.old, '--json'])
  const during = buying.acknowledged().length + others.length - acknowledged.length
  if (made.code !== 0) throw new Error(`backup ended with ${made.code}: ${made.err}`)
  const told = JSON.parse(made.out)
  tally.figure('rows backed up', told.rows)
  tally.figure('purchases acknowledged during it', during)
  tally.figure('backup', seconds(startedMs))
  expectThat(
    tally,
    told.vault_keys.found && !told.vault_keys.included,
    'backup does not say where the keys are',
  )
  expectThat(tally, during > 0, 'backup held up every purchase')
  await buying.until(buying.acknowledged().length + 10)
  for (const id of pending) await buyer.approve(id)
  const all = [...(await buying.stop()), ...others]
  const open = await buyer.settle(
    all.filter((id) => !untouched.includes(id)),
    patienceMs,
  )
  for (const id of open) tally.fail(`${id} is not over before the end of the first service`)
  await refuseWithoutRoom(places.folder, ready.database_url, tally)
  tally.figure('purchases after it', all.length - acknowledged.length - during)
  return { profile, acknowledged, over, pending, untouched, all }
}

/** Each command is refused with its reason, and changes nothing. */
async function refuseWhatIsWrong({ folder, old, fresh, backup }: Places, tally: Tally): Promise<void> {
  const refused = async (args: string[], reason: string) => {
    const { code, err } = await prokuraAlone(args)
    expectThat(
      tally,
      code === 1 && err.includes(reason),
      `${args[0]} said "${err.trim()}" instead of "${reason}"`,
    )
  }
  const harmed = async (name: string, harm: (at: string) => Promise<void>) => {
    const at = join(folder, name)
    await cp(backup, at, { recursive: true })
    await harm(at)
    return at
  }
  const truncated = await harmed('truncated', (at) => truncate(join(at, 'event_rows.copy.gz'), 1000))
  const flipped = await harmed('flipped', async (at) => {
    const bytes = await readFile(join(at, 'carts.copy.gz'))
    bytes[100] = (bytes[100] ?? 0) ^ 4
    await writeFile(join(at, 'carts.copy.gz'), bytes)
  })
  await refused(
    ['restore', truncated, '--state', fresh],
    'event_rows.copy.gz has changed since it was written',
  )
  await refused(['restore', flipped, '--state', fresh], 'carts.copy.gz has changed since it was written')
  await refused(['restore', backup, '--state', old], 'needs an empty database')
  await refused(['restore', backup, '--state', fresh], 'There are no encryption keys at')
  await writeFile(join(fresh, 'vault.keys'), `kdeadbeef:${Buffer.alloc(32, 7).toString('base64')}\n`, {
    mode: 0o600,
  })
  await refused(['restore', backup, '--state', fresh], 'are not the ones of the backup')
  await refused(['backup', backup, '--state', old], 'already exists')
}

/** A limit on the size of a file stands for a full disk. */
async function refuseWithoutRoom(folder: string, databaseUrl: string, tally: Tally): Promise<void> {
  const place = join(folder, 'no-room')
  await mkdir(place)
  const script = `trap '' XFSZ; ulimit -f 8; exec "$0" "$@"`
  const args = [mainProgram, 'backup', join(place, 'backup')]
  const child = spawn('sh', ['-c', script, process.execPath, ...args], {
    env: { ...serviceEnvironment(), DATABASE_URL: databaseUrl },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  const [code] = await once(child, 'close')
  expectThat(
    tally,
    code === 1 && said.includes('There is no space left'),
    `without room: ${code} ${said.trim()}`,
  )
  expectThat(tally, (await readdir(place)).length === 0, 'without room: something was left behind')
}

async function restore({ old, fresh, backup }: Places, tally: Tally): Promise<void> {
  for (const name of keptFiles) await cp(join(old, name), join(fresh, name), { recursive: true, force: true })
  const startedMs = performance.now()
  const { code, out, err } = await prokuraAlone(['restore', backup, '--state', fresh, '--json'])
  if (code !== 0) throw new Error(`restore ended with ${code}: ${err} ${out.slice(0, 2000)}`)
  tally.figure('restore', seconds(startedMs))
  expectThat(tally, JSON.parse(out).ok, 'restore: an invariant does not hold')
}

async function goOn({ ready }: Service, { fresh }: Places, story: Story, tally: Tally): Promise<void> {
  const buyer = buyerAt(ready)
  const known = await knownAmong(buyer, story.all)
  const lost = story.acknowledged.filter((id) => !known.includes(id))
  for (const id of lost) tally.fail(`${id} was acknowledged before the backup and is not in it`)
  tally.pass(story.acknowledged.length - lost.length)
  const unknown = story.all.filter((id) => !known.includes(id))
  tally.figure('bought and not in the backup', unknown.length)
  expectThat(
    tally,
    unknown.length > 0,
    'nothing was bought after the backup: the suite shows less than it says',
  )

  // This service does not know that it is the second time, but the processor and the shops do.
  for (const id of [...story.pending, ...story.untouched]) await buyer.approve(id)
  const again = await buyer.ask({ profile: story.profile, name: 'steady-0', kind: 'native' })
  expectThat(tally, story.all.includes(again), 'a key that was used before the backup bought again')
  const fresher: string[] = []
  for (const kind of ['native', 'shop'] as const)
    fresher.push(await buyer.ask({ profile: story.profile, name: `new-${kind}`, kind }))
  const sound = [...story.over, ...story.untouched, ...fresher]
  const repeated = known.filter((id) => !sound.includes(id))
  for (const id of await buyer.settle(sound, patienceMs)) tally.fail(`${id} is not over after the restore`)
  await buyer.settle(repeated, repeatedPatienceMs)
  await judgeSound(buyer, sound, tally)
  await judgeRepeated(buyer, repeated, tally)
  const audited = await prokuraAlone(['audit', '--state', fresh, '--json'])
  const broken = brokenAfterRestore(audited.out, await toldOf(buyer, repeated))
  expectThat(tally, broken.length === 0, `audit after the restore: ${JSON.stringify(broken)}`)
  const verified = await prokuraAlone(['audit', 'verify', '--state', fresh, '--json'])
  expectThat(tally, verified.code === 0, `audit verify after the restore: ${verified.out.slice(0, 2000)}`)
}

/**
 * Only the invariant that a restore must break is broken: the processor may still hold money for purchases that the backup does not know.
 */
function brokenAfterRestore(out: string, repeated: readonly ToldPurchase[]): InvariantReport['invariants'] {
  const { invariants } = JSON.parse(out) as InvariantReport // as `prokura audit` prints it
  const carts = repeated.flatMap((purchase) => purchase.carts.map(({ id }) => id))
  // A purchase that waits for its merchant, or for a person, may have been charged already, so its hold is gone.
  const isCharged = (violation: string) => carts.some((cart) => violation.includes(cart))
  return invariants
    .map((one) =>
      one.id === 'M6-rail' ? { ...one, violations: one.violations.filter((text) => !isCharged(text)) } : one,
    )
    .filter(({ id, violations }) => violations.length > 0 && id !== 'M6-listed')
}

/** Purchases that were over in the backup, and those made after the restore, are as if there had been no restore. */
async function judgeSound(buyer: Buyer, ids: readonly string[], tally: Tally): Promise<void> {
  const told = await toldOf(buyer, ids)
  for (const { id, status } of told)
    expectThat(tally, status === 'succeeded', `${id} is ${status} after the restore`)
  const isOurs = (reference: string) => ids.some((id) => reference.startsWith(id))
  const differences = contradictions(told, await buyer.witnesses(), isOurs)
  for (const difference of differences) tally.fail(difference)
}

/**
 * Purchases that the backup knows as begun, and the outside as bought: each is charged once and never again. It succeeds, or it is left to
 * a person, or to a merchant that has answered already. It never looks as if nothing had been charged.
 */
async function judgeRepeated(buyer: Buyer, ids: readonly string[], tally: Tally): Promise<void> {
  const { processor, shops } = await buyer.witnesses()
  const outcomes: Record<string, number> = {}
  for (const purchase of await toldOf(buyer, ids)) {
    const { id, status, carts } = purchase
    const entries = processor.filter(({ reference }) => reference?.startsWith(`${id}/`))
    const count = (operation: string) =>
      entries.filter((entry) => entry.operation === operation && entry.result === 'approved').length
    const charges = count('capture') - count('refund')
    expectThat(tally, charges <= 1, `${id} was charged ${charges} times`)
    const placed = shops.filter(
      ({ key, result }) => result === 'placed' && carts.some((cart) => key.startsWith(`${cart.id}:`)),
    )
    expectThat(tally, placed.length <= 1, `${id} was placed ${placed.length} times`)
    const outcome = carts.every((cart) => cart.status === 'succeeded')
      ? 'succeeded'
      : carts.some(isUnknown)
        ? 'left to a person'
        : status === 'queued' || status === 'approved'
          ? 'left to the merchant'
          : `${status} and charged ${charges} times`
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
    const isHonest = outcome === 'succeeded' ? charges === 1 : outcome.startsWith('left') || charges === 0
    expectThat(tally, isHonest, `${id} is ${outcome}: ${JSON.stringify(purchase).slice(0, 3000)}`)
  }
  const summary = Object.entries(outcomes).map(([outcome, purchases]) => `${purchases} ${outcome}`)
  tally.figure('repeated purchases', summary.join(', '))
}

function isUnknown(cart: object): boolean {
  const failure = memberOf(cart, 'failure_reason')
  return memberOf(failure, 'code') === 'outcome_unknown'
}

async function toldOf(buyer: Buyer, ids: readonly string[]): Promise<ToldPurchase[]> {
  return (await Promise.all(ids.map((id) => buyer.read(id)))).filter((one) => one !== null)
}

async function knownAmong(buyer: Buyer, ids: readonly string[]): Promise<string[]> {
  const told = await Promise.all(ids.map((id) => buyer.read(id)))
  return told.flatMap((one) => (one === null ? [] : [one.id]))
}

function expectThat(tally: Tally, holds: boolean, otherwise: string): void {
  if (holds) tally.pass()
  else tally.fail(otherwise)
}

function seconds(startedMs: number): string {
  return `${Math.round((performance.now() - startedMs) / 100) / 10} s`
}
