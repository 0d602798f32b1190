#!/usr/bin/env node
// Plain JavaScript that an old Node can start: it hands over to the Node that this repository pins,
// because the TypeScript sources run without a build there.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const main = join(dirname(fileURLToPath(import.meta.url)), '..', 'src', 'main.ts')
const [major = 0] = process.versions.node.split('.').map(Number)
const local = major >= 26 ? undefined : findLocalNode(dirname(main))

if (major >= 26) await import('../src/main.ts')
else if (local === undefined) {
  process.stderr.write(
    'prokura-sandbox needs Node 26 or newer. Run `npm ci` in the repository to install it.\n',
  )
  process.exit(1)
} else handOver(local)

function findLocalNode(from) {
  for (let folder = from; ; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', '.bin', 'node')
    if (existsSync(candidate)) return candidate
    if (folder === dirname(folder)) return undefined
  }
}

function handOver(node) {
  const args = [main, ...process.argv.slice(2)]
  // execve keeps the process id, so that a signal sent to this process reaches the real one, kill -9 included.
  if (typeof process.execve === 'function') process.execve(node, [node, ...args], process.env)
  // Without execve the child holds a pipe from us and ends when we do, however we end.
  const child = spawn(node, [...args, '--parent-fd', '3'], {
    stdio: ['inherit', 'inherit', 'inherit', 'pipe'],
  })
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', (error) => {
    process.stderr.write(`prokura-sandbox could not start ${node}: ${error.message}\n`)
    process.exit(1)
  })
  child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGKILL' ? 137 : 1)))
}
