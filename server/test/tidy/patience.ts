import { findLines, type Rule } from './rule.ts'

/** `test(…, 60_000)` and `expect.poll(…)`: a limit that a busy machine breaks. */
const fixedLimit = /^\s*\},? [\d_]{4,}\)$|\btimeout: [\d_]{3,}/

const waitingTest = /^(?:[^/]+|elements\/[^/]+)\/(?:src|test)\/.*\.test\.ts$|^server\/test\/harness.*\.ts$/

/** Rules about how long tests wait. */
export const patienceRules: readonly Rule[] = [
  {
    name: 'no-fixed-limit',
    applies: (path) => waitingTest.test(path) && path !== 'server/test/tidy.test.ts',
    find: ({ text }) =>
      findLines(
        text,
        (line) => fixedLimit.test(line),
        'a limit in milliseconds: waits follow the machine, by vitest.config.ts and patientMs',
      ),
  },
]
