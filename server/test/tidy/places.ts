import { workspaces } from '../workspaces.ts'
import { findLines, isCode, linesIn, type Rule } from './rule.ts'

const linesMax = 400

/**
 * Files that were over the limit when they were written, with the length they may not grow beyond. An entry is removed as soon as
 * its file fits; none is added without a reason beside it.
 */
const longFiles: Readonly<Record<string, number>> = {}

const drawers = /^(?:.*[-.])?(?:utils?|helpers?|services?|common|misc)$/

const layers =
  /^server\/src\/(?:core|schema|protocols|contract|platform|domain|channels|rails|models|surfaces|vault|browser|cli)\/|^server\/src\/(?:app|composition|dispatch|main|parts|inbound-options|mpp-options|ucp-surface|work)\.ts$/

// Spelled in pieces, so that this file passes its own rule.
const registries = [
  'registry.npmjs',
  'registry.yarnpkg',
  'npm.pkg.github',
  'npmmirror.',
  'artifactory',
  'jfrog.io',
]

/** Rules about where things are and what they are called. */
export const placeRules: readonly Rule[] = [
  {
    name: 'file-size',
    applies: isCode,
    find: ({ path, text }) => sizeFindings(path, text, longFiles[path]),
  },
  {
    name: 'no-drawers',
    applies: isCode,
    find: ({ path }) => {
      const stem = (path.split('/').at(-1) ?? '').replace(/(?:\.test)?\.[^.]+$/, '')
      if (stem === 'index') return [{ line: 1, what: 'no barrels: import from the file that has it' }]
      return drawers.test(stem)
        ? [{ line: 1, what: `"${stem}" says nothing; name it after what it does` }]
        : []
    },
  },
  {
    name: 'known-workspace',
    applies: (path) => isCode(path) && path.includes('/'),
    find: ({ path }) => {
      const [folder = ''] = path.split('/')
      return workspaces.includes(folder)
        ? []
        : [
            {
              line: 1,
              what: `package.json does not list ${folder} in "workspaces": nothing installs or tests it`,
            },
          ]
    },
  },
  {
    name: 'known-layer',
    applies: (path) => path.startsWith('server/src/') && path.endsWith('.ts'),
    find: ({ path }) =>
      layers.test(path) ? [] : [{ line: 1, what: 'belongs to no layer; direction cannot be checked' }],
  },
  {
    name: 'no-registry-address',
    applies: (path) => path !== 'server/test/tidy/places.ts',
    find: ({ path, text }) =>
      findLines(
        text,
        (line) =>
          registries.some((address) => line.includes(address)) ||
          (/(?:^|\/)\.npmrc$/.test(path) && /(?:^|:)registry\s*=/.test(line)) ||
          (path === 'package-lock.json' && /"resolved":\s*"https?:/.test(line)),
        'a package registry is the business of the machine, not of the repository',
      ),
  },
  {
    name: 'no-home-path',
    applies: () => true,
    find: ({ text }) =>
      findLines(
        text,
        // `(?<!…)`: `platform/work/lease.ts` and `../work/lease.ts` are ours, a path that starts there is somebody's machine.
        (line) => /(?<![\w.\-*\\})\]>~])(?:\/(?:home|root|Users|work)\/[\w.]|[A-Z]:\\Users\\\w)/.test(line),
        'a path of one machine',
      ),
  },
]

/** `allowed` is the ratchet's entry for the file, if it has one. */
export function sizeFindings(
  path: string,
  text: string,
  allowed: number | undefined,
): { line: number; what: string }[] {
  const lines = linesIn(text)
  if (allowed !== undefined && lines <= linesMax) {
    return [{ line: 1, what: `${path} fits now: remove it from longFiles` }]
  }
  const limit = allowed ?? linesMax
  return lines > limit
    ? [{ line: limit + 1, what: `${lines} lines, at most ${limit}: this is two ideas` }]
    : []
}
