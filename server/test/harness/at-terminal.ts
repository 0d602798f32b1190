import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { mainProgram } from './built-program.ts'

/** Without it there is no terminal to type at. */
const script = '/usr/bin/script'
export const hasTerminal = process.platform === 'linux' && existsSync(script)

/** In every question of a command: for a yes, and for what a shop has to know. */
const usualQuestion = /anything else is a no: | asks: /g

/**
 * A line as a person types it into a shell on a terminal of its own, in the folder of the project, with an answer to each question. What
 * comes back is what the person sees, without colors.
 */
export async function typed(
  line: string,
  {
    env,
    question,
    answers = [],
    interruptions = [],
  }: {
    env: NodeJS.ProcessEnv
    /** What a person answers, in place of the usual question, and no more often than there are answers. */
    question?: RegExp
    answers?: readonly string[]
    /** Ctrl-C is typed once each of these is to be read, one after the other. */
    interruptions?: readonly string[]
  },
): Promise<{ code: number; out: string }> {
  // The build, which starts faster: `started-by-hand.test.ts` starts the script itself.
  const typedLine = line.replaceAll('./prokura ', `"${process.execPath}" "${mainProgram}" `)
  // A person's shell gives each command a process group of its own, so Ctrl-C ends the command and not the shell. With Ctrl-C a terminal
  // also throws away what was printed and not read yet: what is read here must be all that was printed.
  const child = spawn(script, ['-qefc', `set -m; stty noflsh; ${typedLine}`, '/dev/null'], {
    cwd: join(import.meta.dirname, '../../..'),
    env: { ...env, SHELL: '/bin/sh' },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let out = ''
  let given = 0
  let interrupted = 0
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text
    const asked = out.split(question ?? usualQuestion).length - 1
    const answered = question === undefined ? asked : Math.min(asked, answers.length)
    for (; given < answered; given += 1) child.stdin.write(`${answers[given] ?? 'no'}\r`)
    const awaited = interruptions[interrupted]
    if (awaited !== undefined && out.includes(awaited)) {
      interrupted += 1
      child.stdin.write('\u0003')
    }
  })
  const [code] = await once(child, 'close')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: this is how a terminal is told a color
  return { code: Number(code), out: out.replace(/\u001b\[[\d;]*[A-Za-z]/g, '').replaceAll('\r', '') }
}
