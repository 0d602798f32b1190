import { keepTemporaryFilesInMemory } from '../gate/memory-folder.ts'
import { stripeDescription } from '../gate/stripe-description.ts'
import { startTestServer } from '../harness/database.ts'
import { readSuiteCommand } from './command-line.ts'
import { runLong } from './long.ts'
import { tellProgress } from './progress.ts'
import { describeRun, documentResults } from './results.ts'
import { checkOverSeeds, type SelfCheck } from './self-check.ts'
import { createTally, type SuiteRun, writeResult } from './suite.ts'

type SuiteEntry = {
  about: string
  /** It starts the server that it kills. */
  hasOwnServer?: true
  selfCheck?: SelfCheck
  load: () => Promise<(run: SuiteRun) => Promise<void>>
}

const noServer: Awaited<ReturnType<typeof startTestServer>> = {
  adminUrl: '',
  template: '',
  stop: async () => undefined,
}

/** Every suite, loaded only when it runs. */
const suites: Readonly<Record<string, SuiteEntry>> = {
  matrix: {
    about: 'calls every operation and tool, with every kind of credential, on every kind of id',
    load: async () => (await import('./matrix.ts')).runMatrix,
  },
  fuzz: {
    about:
      'makes requests from the contract: every bound by rule, the rest at random; every operation succeeds, and planted faults are found',
    load: async () => (await import('./fuzz.ts')).runFuzz,
    selfCheck: {
      about: 'plants faults in operations, also a missing bound of every kind, and finds them by rule',
      load: async () => (await import('./fuzz.ts')).checkFuzz,
    },
  },
  allowed: {
    about:
      'makes requests from the published document alone: what it allows is accepted or refused by a documented rule, and what it forbids is 422',
    load: async () => (await import('./allowed.ts')).runAllowed,
  },
  guides: {
    about: 'follows guides as a reader does, each alone in a fresh state, and all of them backwards',
    hasOwnServer: true,
    load: async () => (await import('./guides.ts')).runGuides,
  },
  clients: {
    about:
      'generates clients from the document, compiles them under tsc --strict, and buys at the sandbox with them',
    hasOwnServer: true,
    load: async () => (await import('./clients.ts')).runClients,
  },
  'bad-bytes': {
    about: 'sends what no well-behaved client sends, on raw sockets',
    load: async () => (await import('./bad-bytes.ts')).runBadBytes,
  },
  races: {
    about:
      'sends requests that collide, to two API processes on one database: purchases end once, at merchants of ours and at strangers',
    load: async () => (await import('./races.ts')).runRaces,
  },
  kills: {
    about:
      'kills every process with kill -9 under load, while purchases are made in all five ways: nothing is lost or charged twice',
    hasOwnServer: true,
    load: async () => (await import('./kills.ts')).runKills,
    selfCheck: {
      about: 'checks the judges of kills, chaos and stops, after the same load without a failure',
      load: async () => (await import('./load/self-check.ts')).checkLoadJudges,
    },
  },
  chaos: {
    about:
      'makes the network between all processes fail in every way under load: the guarantees are those of kills',
    hasOwnServer: true,
    load: async () => (await import('./chaos.ts')).runChaos,
  },
  'stopped-worker': {
    about: 'stops a worker for longer than its lease: it writes nothing when it continues',
    load: async () => (await import('./stopped-worker.ts')).runStoppedWorker,
  },
  stops: {
    about: 'tells processes to stop under load: they stop in time, answer everything and lose nothing',
    hasOwnServer: true,
    load: async () => (await import('./stops.ts')).runStops,
  },
  'crash-points': {
    about: 'kills a worker at each crash point: its purchase still ends as it must',
    load: async () => (await import('./crash-points.ts')).runCrashPoints,
  },
  anywhere: {
    about:
      'kills worker, browser, vault and API at each point of a purchase at a stranger: shop and processor remember what the purchase says; long goes on where an earlier run of the same commit was stopped',
    hasOwnServer: true,
    load: async () => (await import('./anywhere.ts')).runAnywhere,
  },
  'agent-safety': {
    about:
      'buys at pages, and chats about goods, whose text instructs agents and programs: no word of them has an effect',
    hasOwnServer: true,
    load: async () => (await import('./agent-safety.ts')).runAgentSafety,
    selfCheck: {
      about: 'plants effects in the testimony of one run, and obeys pages: each is noticed',
      load: async () => (await import('./agent-safety.ts')).checkAgentSafety,
      isWhole: true,
    },
  },
  chats: {
    about:
      'reads what people say in five languages as they mean it; kills the worker at each point of a run, and breaks the connections of readers',
    hasOwnServer: true,
    load: async () => (await import('./chats.ts')).runChats,
  },
  lives: {
    about:
      'lives hundreds of thousands of lives of a cart in memory, with calls that get lost, workers that die and people who change their mind: money and orders are right in the end',
    hasOwnServer: true,
    load: async () => (await import('./lives.ts')).runLives,
  },
  forms: {
    about:
      'fills in the forms of shops for buyers of many countries, in memory: what is right is left or nothing is sent, whatever the page does meanwhile',
    hasOwnServer: true,
    load: async () => (await import('./forms.ts')).runForms,
  },
  model: {
    about: 'runs histories of commands, and compares each answer with the prediction of a model',
    load: async () => (await import('./model.ts')).runModel,
    selfCheck: {
      about: 'plants false answers that the histories must reveal',
      load: async () => (await import('./model.ts')).checkLies,
    },
  },
  clock: {
    about: 'tests every deadline, a millisecond before its end and at its end',
    load: async () => (await import('./clock.ts')).runClock,
  },
  receivers: {
    about:
      'delivers to hundreds of webhook endpoints, of which three in ten fail, hang or lie, and checks what arrives',
    load: async () => (await import('./receivers.ts')).runReceivers,
    selfCheck: {
      about: 'plants faults in the records of both sides of one run, in other places with every seed',
      load: async () => (await import('./receivers.ts')).runReceivers,
      isWhole: true,
    },
  },
  noisy: {
    about:
      'lets one neighbor do everything that once stopped all others, while another tenant buys, asks for quotes and reads',
    load: async () => (await import('./noisy.ts')).runNoisy,
  },
  neighbours: {
    about:
      'lets one account buy at pages that attack the browser, and at forty at once: another account buys at three shops in its usual time',
    hasOwnServer: true,
    load: async () => (await import('./neighbours.ts')).runNeighbours,
  },
  strangers: {
    about:
      'sends requests from sixty-four addresses without a key for ten minutes: others read as before, and memory does not grow',
    load: async () => (await import('./strangers.ts')).runStrangers,
  },
  egress: {
    about:
      'tries every form of address, name and redirect that leads to the inside, with a canary server on this machine',
    load: async () => (await import('./egress.ts')).runEgress,
  },
  elements: {
    about:
      'shows components in pages of others: every session on every call, slow and broken networks, and no number in any memory',
    load: async () => (await import('./elements.ts')).runElements,
  },
  mutation: {
    about: 'removes the guards of money and authority, one at a time: a test must fail each time',
    load: async () => (await import('./mutation.ts')).runMutation,
  },
  'mcp-conformance': {
    about: 'runs the official MCP conformance runner, in both revisions, on the product and on its fixtures',
    load: async () => (await import('./mcp-conformance.ts')).runMcpConformance,
  },
  backup: {
    about:
      'restores the backup of a running service into another one that continues: nothing is charged twice',
    load: async () => (await import('./operations/backup.ts')).runBackup,
  },
  upgrade: {
    about: 'runs the previous version and this one on one database under load, while it is migrated',
    load: async () => (await import('./operations/upgrade.ts')).runUpgrade,
  },
}

async function main(): Promise<void> {
  const command = readSuiteCommand(process.argv.slice(2), suites)
  if (command.kind === 'told') {
    if (command.code === 0) console.log(command.text)
    else console.error(command.text)
    process.exitCode = command.code
    return
  }
  if (command.kind === 'document') {
    const { taken, refused } = documentResults()
    console.log(`docs/reliability.md is written. New in it: ${taken.join(', ') || 'nothing'}.`)
    for (const why of refused) console.log(`not in it: ${why}`)
    return
  }
  if (command.kind === 'long') {
    const checked = Object.keys(suites).filter((name) => suites[name]?.selfCheck)
    if (!(await runLong({ ...command, checked }))) process.exitCode = 1
    return
  }
  keepTemporaryFilesInMemory()
  process.env.STRIPE_DESCRIPTION = stripeDescription
  const { name, seed: given } = command
  const seed = given ?? Date.now() % 2 ** 31
  const entry = suites[name]
  if (entry === undefined) return
  if (command.kind === 'run') await runSuite(name, entry, { ...command, seed })
  else if (entry.selfCheck) await runSelfCheck(name, entry, { seed, seeds: command.seeds })
}

type Wanted = Pick<SuiteRun, 'size' | 'seed' | 'only' | 'from' | 'engines'>

async function runSelfCheck(
  name: string,
  { selfCheck, hasOwnServer }: SuiteEntry,
  { seed, seeds }: { seed: number; seeds: number },
): Promise<void> {
  if (!selfCheck) return
  const checking = `${name}-self-check`
  await runSuite(
    checking,
    {
      about: selfCheck.about,
      ...(hasOwnServer ? { hasOwnServer } : {}),
      repeat: `${name} --self-check --seeds ${seeds} --seed ${seed}`,
      load: async () => (run) => checkOverSeeds(selfCheck, { ...run, name, seeds }),
    },
    // Over that many seeds it counts for as much as a long run.
    { size: seeds >= 200 ? 'long' : 'gate', seed, only: null, from: null },
  )
}

async function runSuite(
  name: string,
  entry: SuiteEntry & { repeat?: string },
  wanted: Wanted,
): Promise<void> {
  const { size, seed, only, from, engines } = wanted
  console.log(`${name}: ${entry.about}`)
  const given = { only, from, engines: engines?.join(',') ?? null }
  const parts = Object.entries(given)
    .map(([option, value]) => (value === null ? '' : ` --${option} ${value}`))
    .join('')
  console.log(
    `repeat with: npm run suite -- ${entry.repeat ?? `${name} --size ${size} --seed ${seed}${parts}`}`,
  )
  const startedMs = performance.now()
  const tally = createTally()
  const progress = tellProgress(name, tally)
  const server = entry.hasOwnServer ? noServer : await startTestServer()
  try {
    const run = await entry.load()
    await run({ server, ...wanted, tally })
  } catch (error) {
    tally.fail(error instanceof Error ? (error.stack ?? error.message) : String(error))
  } finally {
    await server.stop()
    progress.stop()
  }
  const seconds = Math.round((performance.now() - startedMs) / 100) / 10
  const { passed, failed, failures, skipped, figures } = tally
  // A run from a named version, or in other engines, is not the suite as it is kept.
  const part = only ?? from ?? given.engines
  const result = {
    name,
    size,
    seed,
    seconds,
    passed,
    failed,
    figures,
    only: part,
    ...describeRun(),
    failures,
  }
  const file = writeResult(name, result)
  for (const failure of failures) console.log(`FAILED ${failure}`)
  for (const [figure, value] of Object.entries(figures)) console.log(`  ${figure.padEnd(28)} ${value}`)
  for (const why of skipped) console.log(`SKIPPED ${why}`)
  console.log(`results in ${file.slice(file.indexOf('.tmp'))}`)
  if (failed > 0 || passed + skipped.length === 0) process.exitCode = 1
  const also = skipped.length > 0 ? `, ${skipped.length} skipped` : ''
  console.log(`${name}: ${seconds} s, ${passed} passed, ${failed} failed${also}`)
}

await main()
