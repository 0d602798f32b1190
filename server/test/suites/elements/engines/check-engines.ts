import { type ElementsStandIn, startStandIn } from '../../../elements/stand-in.ts'
import type { SuiteRun } from '../../suite.ts'
import { abilitiesOf, type EngineCheck, engineChecks } from './checks.ts'
import { type Engine, type EngineOptions, NotInstalled } from './engine.ts'
import { openFirefox } from './firefox.ts'
import { openWebKit } from './webkit.ts'

const engines: Readonly<Record<string, (options: EngineOptions) => Promise<Engine>>> = {
  firefox: openFirefox,
  webkit: openWebKit,
}

/** The components in other engines than the one that all tests have. */
export async function checkEngines(names: readonly string[], tally: SuiteRun['tally']): Promise<void> {
  const standIn = await startStandIn()
  try {
    for (const name of names)
      for (const keepsLittle of [false, true]) await checkEngine(name, { keepsLittle }, { standIn, tally })
  } finally {
    await standIn.stop()
  }
}

type World = { readonly standIn: ElementsStandIn } & Pick<SuiteRun, 'tally'>

async function checkEngine(name: string, options: EngineOptions, { standIn, tally }: World): Promise<void> {
  const opened = await engines[name]?.(options).catch((error: unknown) => {
    if (!(error instanceof NotInstalled)) throw error
    tally.skip(error.message)
    return undefined
  })
  if (opened === undefined) return
  try {
    const kind = options.keepsLittle ? `${name} that keeps little` : name
    const page = await opened.open(standIn.shop)
    tally.figure(kind, `${opened.version} with ${await abilitiesOf({ page, standIn })}`)
    await page.close()
    standIn.reset()
    for (const check of engineChecks.filter((each) => (each.keepsLittle === true) === options.keepsLittle)) {
      const wrong = await show(opened, check, standIn)
      console.log(`  ${name}: ${check.name}: ${wrong ?? 'yes'}`)
      if (wrong === null) tally.pass()
      else tally.fail(`${name}: ${check.name}: ${wrong}`)
    }
  } finally {
    await opened.close()
  }
}

/** Null: it is so. */
async function show(engine: Engine, check: EngineCheck, standIn: ElementsStandIn): Promise<string | null> {
  const page = await engine.open(`${standIn.shop}/${check.query === undefined ? '' : `?${check.query}`}`)
  try {
    await check.run({ page, standIn })
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  } finally {
    await page.close()
    standIn.reset()
  }
}
