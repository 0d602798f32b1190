/**
 * A suite the gate runs: a program of its own that prints what it did and ends with the line `NAME: … N passed, N failed`. The
 * command is given to the repository's Node, from the root.
 */
export type Suite = { name: string; command: string[] }

export const gateSuites: Suite[] = []
