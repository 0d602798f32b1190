/**
 * A suite the gate runs: a program of its own that prints what it did and ends with the line `NAME: … N passed, N failed`. The
 * command is given to the repository's Node, from the root.
 */
type Suite = {
  name: string
  command: string[]
  /** It judges no times and no races, so another suite may run beside it. */
  beside?: boolean
}

const program = 'server/test/suites/main.ts'

export const gateSuites: Suite[] = [
  { name: 'matrix', command: [program, 'matrix', '--size', 'gate'], beside: true },
  { name: 'fuzz', command: [program, 'fuzz', '--size', 'gate'], beside: true },
  { name: 'allowed', command: [program, 'allowed', '--size', 'gate'], beside: true },
  { name: 'clients', command: [program, 'clients', '--size', 'gate'], beside: true },
  { name: 'bad-bytes', command: ['--expose-gc', program, 'bad-bytes', '--size', 'gate'], beside: true },
  { name: 'races', command: [program, 'races', '--size', 'gate'] },
  { name: 'kills', command: [program, 'kills', '--size', 'gate'] },
  { name: 'chaos', command: [program, 'chaos', '--size', 'gate'] },
  { name: 'stops', command: [program, 'stops', '--size', 'gate'] },
  { name: 'stopped-worker', command: [program, 'stopped-worker', '--size', 'gate'] },
  { name: 'crash-points', command: [program, 'crash-points', '--size', 'gate'], beside: true },
  { name: 'mcp-conformance', command: [program, 'mcp-conformance', '--size', 'gate'], beside: true },
  { name: 'backup', command: [program, 'backup', '--size', 'gate'], beside: true },
  { name: 'upgrade', command: [program, 'upgrade', '--size', 'gate'], beside: true },
  { name: 'egress', command: [program, 'egress', '--size', 'gate'], beside: true },
  { name: 'receivers', command: [program, 'receivers', '--size', 'gate'] },
  { name: 'noisy', command: [program, 'noisy', '--size', 'gate'] },
  { name: 'agent-safety', command: [program, 'agent-safety', '--size', 'gate'], beside: true },
  { name: 'model', command: [program, 'model', '--size', 'gate'], beside: true },
  { name: 'anywhere', command: [program, 'anywhere', '--size', 'gate'], beside: true },
  { name: 'clock', command: [program, 'clock', '--size', 'gate'], beside: true },
  { name: 'mutation', command: [program, 'mutation', '--size', 'gate'], beside: true },
]
