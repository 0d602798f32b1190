import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Checkout, faultsOf, follow, guideNames, makeCheckout } from '../guides/reader.ts'
import { startService } from '../harness/up.ts'
import type { SuiteRun, Tally } from './suite.ts'

/**
 * Follows guides in states that nobody has used before, in another shell than `guides.test.ts`, which follows all of them in order. At
 * the gate one guide alone, which the seed chooses; in the long size each guide alone, and then all of them backwards in one state. Here
 * `./prokura` runs the sources, as in every checkout.
 */
export async function runGuides({ size, seed, only, tally }: SuiteRun): Promise<void> {
  const names = guideNames.filter((name) => only === null || name.includes(only))
  if (names.length === 0) throw new Error(`there is no guide ${only}`)
  const alone = size === 'long' || only !== null ? names : [names[seed % names.length] as string] // below its length
  const checkout = await makeCheckout(null)
  try {
    for (const name of alone) await followInFreshState(checkout, [name], tally)
    if (size === 'long' && only === null) await followInFreshState(checkout, names.toReversed(), tally)
    tally.figure('alone in a fresh state', alone.join(', '))
  } finally {
    await checkout.remove()
  }
}

async function followInFreshState(checkout: Checkout, names: readonly string[], tally: Tally): Promise<void> {
  const state = join(checkout.folder, '.prokura')
  const service = await startService({ state, args: ['--port', '0'] })
  try {
    for (const name of names) {
      const guide = await checkout.guide(name)
      const faults = faultsOf(name, guide, await follow(checkout.folder, guide, 'bash'))
      for (const fault of faults) tally.fail(fault)
      if (faults.length === 0) tally.pass(guide.commands.length)
    }
  } finally {
    await service.stop()
    await rm(state, { recursive: true, force: true })
  }
}
