/**
 * A suite the gate runs: a program of its own that prints what it did and ends with the line `NAME: … N passed, N failed`. The
 * command is given to the repository's Node, from the root.
 */
type Suite = {
  name: string
  command: string[]
  /** How many cores it keeps busy, as the report of the gate tells it. One that judges times names none: it has the machine for itself. */
  cores?: number
}

const program = 'server/test/suites/main.ts'

export const gateSuites: Suite[] = [
  { name: 'matrix', command: [program, 'matrix', '--size', 'gate'], cores: 1 },
  { name: 'fuzz', command: [program, 'fuzz', '--size', 'gate'], cores: 0.9 },
  { name: 'allowed', command: [program, 'allowed', '--size', 'gate'], cores: 0.5 },
  { name: 'guides', command: [program, 'guides', '--size', 'gate'], cores: 0.7 },
  { name: 'clients', command: [program, 'clients', '--size', 'gate'], cores: 1 },
  { name: 'bad-bytes', command: ['--expose-gc', program, 'bad-bytes', '--size', 'gate'], cores: 0.4 },
  { name: 'races', command: [program, 'races', '--size', 'gate'], cores: 1.1 },
  { name: 'kills', command: [program, 'kills', '--size', 'gate'], cores: 1 },
  { name: 'chaos', command: [program, 'chaos', '--size', 'gate'], cores: 0.9 },
  { name: 'stops', command: [program, 'stops', '--size', 'gate'], cores: 0.9 },
  { name: 'stopped-worker', command: [program, 'stopped-worker', '--size', 'gate'], cores: 0.6 },
  { name: 'crash-points', command: [program, 'crash-points', '--size', 'gate'], cores: 0.9 },
  { name: 'mcp-conformance', command: [program, 'mcp-conformance', '--size', 'gate'], cores: 0.9 },
  { name: 'backup', command: [program, 'backup', '--size', 'gate'], cores: 0.7 },
  { name: 'upgrade', command: [program, 'upgrade', '--size', 'gate'], cores: 0.9 },
  { name: 'egress', command: [program, 'egress', '--size', 'gate'], cores: 0.6 },
  { name: 'receivers', command: [program, 'receivers', '--size', 'gate'], cores: 1 },
  { name: 'noisy', command: [program, 'noisy', '--size', 'gate'] },
  { name: 'neighbours', command: [program, 'neighbours', '--size', 'gate'] },
  { name: 'agent-safety', command: [program, 'agent-safety', '--size', 'gate'], cores: 1 },
  { name: 'model', command: [program, 'model', '--size', 'gate'], cores: 1 },
  { name: 'anywhere', command: [program, 'anywhere', '--size', 'gate'], cores: 0.9 },
  { name: 'clock', command: [program, 'clock', '--size', 'gate'], cores: 0.6 },
  { name: 'mutation', command: [program, 'mutation', '--size', 'gate'], cores: 1.1 },
]
