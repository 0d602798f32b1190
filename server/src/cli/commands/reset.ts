import { createInterface } from 'node:readline/promises'
import type { Command } from 'commander'
import { processEnvironment } from '../../platform/config/config.ts'
import { fileWords } from '../../platform/files/file-trouble.ts'
import { CommandFailure } from '../failure.ts'
import { note, out, outJson, styled } from '../terminal.ts'
import { type FoundState, withStoppedState } from '../up/remove-state.ts'

type Options = { state: string; yes?: boolean; json?: boolean }

export function defineReset(command: Command): void {
  command
    .option(
      '--state <dir>',
      'the state folder to remove',
      processEnvironment().PROKURA_STATE_DIR ?? '.prokura',
    )
    .option('--yes', 'do not ask for confirmation')
    .option('--json', 'print one line of JSON; needs --yes')
    .action(async (options: Options) => {
      const removed = await withStoppedState(options.state, async (found) => {
        if (!options.yes) await ask(found, options)
        found.remove()
        return found
      }).catch((error: unknown) => {
        throw inWords(error, options)
      })
      tell(removed, options)
    })
}

/** A refusal of the system, such as for files of another user, is not a bug of ours. */
function inWords(error: unknown, { state }: Options): unknown {
  if (!(error instanceof Error && 'syscall' in error)) return error
  return new CommandFailure(
    `${state} could not be removed completely: ${fileWords(error) ?? `${error.message}.`}`,
  )
}

/** Returns when a person says yes; otherwise nothing is removed. */
async function ask(found: FoundState, { json }: Options): Promise<void> {
  const isTalking = process.stdin.isTTY && process.stderr.isTTY && !json
  if (!isTalking)
    throw new CommandFailure(
      `This removes ${found.path} for good (${namesOf(found).join(', ')}). Add --yes to do it. Nothing was removed.`,
    )
  note(`${found.path} holds ${sizeText(found.bytes)}:`)
  for (const line of linesOf(found)) note(line)
  const talk = createInterface({ input: process.stdin, output: process.stderr })
  // Ctrl-C and the end of input are a no.
  const closed = new Promise<string>((resolve) => talk.once('close', () => resolve('')))
  const answer = await Promise.race([talk.question('Remove all of it, for good? Type yes: '), closed])
  talk.close()
  if (answer.trim().toLowerCase() !== 'yes') throw new CommandFailure('Nothing was removed.')
}

function tell(removed: FoundState | null, { state, json, yes }: Options): void {
  if (json)
    outJson({
      state: removed?.path ?? state,
      removed: removed ? namesOf(removed) : [],
      bytes: removed?.bytes ?? 0,
    })
  else if (!removed) out(`There is no folder ${state}, so there is nothing to remove.`)
  else {
    out(`${styled('bold', 'Removed')} ${removed.path}, ${sizeText(removed.bytes)}${yes ? ':' : '.'}`)
    // Somebody who was asked has seen these lines already.
    if (yes) for (const line of linesOf(removed)) out(line)
    out('The next `npm start` creates a new account with new keys.')
  }
}

function namesOf({ entries }: FoundState): string[] {
  return entries.map(({ name }) => name)
}

function linesOf({ entries }: FoundState): string[] {
  const width = Math.max(0, ...entries.map(({ name }) => name.length))
  return entries.map(({ name, what }) => `  ${name.padEnd(width)}  ${what}`)
}

function sizeText(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} kB` : `${Math.round(bytes / 1_000_000)} MB`
}
