// Plain JavaScript that any Node from 20 on can run: everything else needs the newer Node that `npm ci` put beside it (TypeScript without
// a build), so this file only finds that one and becomes it.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const nodeMajorNeeded = 26
const here = dirname(fileURLToPath(import.meta.url))

/** Goes on as this script with these arguments, under a Node that can run it. */
export function becomeNode(script, args) {
  const node = findLocalNode(here) ?? currentNodeIfNewEnough()
  if (node !== undefined) return run(node, [script, ...args])
  process.stderr.write(
    `Run \`npm ci\` first, in ${join(here, '..', '..')}. It installs everything that Prokura needs, also the Node ${nodeMajorNeeded} that runs it: ` +
      `this Node is ${process.versions.node}, which is enough for \`npm ci\`. ` +
      `If you have run it: it leaves Node ${nodeMajorNeeded} out where optional dependencies are omitted.\n`,
  )
  process.exit(1)
}

function findLocalNode(start) {
  const name = process.platform === 'win32' ? 'node.exe' : 'node'
  for (let folder = start; ; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', '.bin', name)
    if (existsSync(candidate)) return candidate
    if (folder === dirname(folder)) return undefined
  }
}

function currentNodeIfNewEnough() {
  return Number.parseInt(process.versions.node, 10) >= nodeMajorNeeded ? process.execPath : undefined
}

function run(command, args) {
  // Where Node can, it becomes the other process: one id, so that every signal arrives, kill -9 included.
  if (typeof process.execve === 'function') process.execve(command, [command, ...args], process.env)

  const child = spawn(command, args, { stdio: 'inherit' })

  // A terminal sends Ctrl-C to the whole group; passing it on would reach the child twice, and a second one means "hurry".
  const terminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY
  const forwarded = ['SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2', 'SIGINT']
  for (const signal of forwarded) {
    process.on(signal, () => {
      if (signal !== 'SIGINT' || !terminal) child.kill(signal)
    })
  }

  child.on('error', (error) => {
    process.stderr.write(`could not start ${command}: ${error.message}\n`)
    process.exit(1)
  })
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1)
    // Die of the same signal, so that whoever started us sees what happened.
    for (const name of forwarded) process.removeAllListeners(name)
    process.kill(process.pid, signal)
    setTimeout(() => process.exit(128 + (constants.signals[signal] ?? 0)), 1000)
  })
}
