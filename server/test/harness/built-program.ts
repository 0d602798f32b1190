import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs'
import { join } from 'node:path'
import { bundle } from '../../build/bundle.ts'
import { productWorkspaces } from '../workspaces.ts'

const root = join(import.meta.dirname, '../../..')
const builds = join(root, 'node_modules/.cache')
const dayMs = 86_400_000

/**
 * The program of this tree as `npm run build` makes it, for tests that start processes: it starts in a third of the time. It is built
 * once for each state of its sources; a tree with a mutant in it is another one.
 */
async function builtProgram(): Promise<string> {
  const folder = join(builds, `prokura-built-${stateOfSources()}`)
  if (!existsSync(folder)) {
    removeOldBuilds()
    mkdirSync(builds, { recursive: true })
    const made = mkdtempSync(join(builds, 'prokura-building-'))
    // Parts of it run as other users.
    chmodSync(made, 0o755)
    await bundle(made)
    try {
      renameSync(made, folder)
    } catch {
      // Another process was faster, with the same.
      rmSync(made, { recursive: true })
    }
  }
  utimesSync(folder, new Date(), new Date())
  return folder
}

function stateOfSources(): string {
  const paths = globSync(
    ['package-lock.json', 'elements/*.ts', `{${productWorkspaces.join()}}/{src,migrations,build}/**/*.*`],
    {
      cwd: root,
    },
  )
  const hash = createHash('sha256')
  for (const path of paths.sort()) hash.update(path).update(readFileSync(join(root, path)))
  return hash.digest('hex').slice(0, 16)
}

/** A run that still uses one has started within a day. */
function removeOldBuilds(): void {
  for (const name of globSync('prokura-buil*', { cwd: builds })) {
    const old = join(builds, name)
    if (Date.now() - statSync(old).mtimeMs > dayMs) rmSync(old, { recursive: true, force: true })
  }
}

const folder = await builtProgram()
export const mainProgram = join(folder, 'main.js')
export const sandboxProgram = join(folder, 'sandbox.js')
