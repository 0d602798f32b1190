import type { Command } from 'commander'
import { checkModel, type ModelCheck, remedies } from '../../models/check-model.ts'
import type { ChatModelConfig } from '../../platform/config/chat-settings.ts'
import { processEnvironment, readConfig } from '../../platform/config/config.ts'
import { egressTo, openChatModel } from '../open-model.ts'
import { roleConfig } from '../role-config.ts'
import { note, out, outJson } from '../terminal.ts'

/** `prokura chat model`: what is asked about the model, and not of it. */
export function defineChatModel(chat: Command): void {
  const model = chat.command('model').description('Look at the language model that chats ask.')
  model
    .command('check')
    .description(
      'Check that the model of PROKURA_CHAT_MODEL answers, streams and calls tools. It is asked twice, for a few tokens. The exit code is 1 ' +
        'if it cannot lead a chat.',
    )
    .option(
      '--state <dir>',
      'the state folder of a running `prokura up` (default: all settings come from the environment)',
    )
    .option('--json', 'print one line of JSON')
    .action((_: CheckOptions, command: Command) => check(optionsOf(command)))
}

type CheckOptions = { state?: string; json?: boolean }

/** `chat` has options of the same names and takes them wherever they stand, but its default folder is not what was asked about. */
function optionsOf(command: Command): CheckOptions {
  const { state, json } = command.optsWithGlobals<CheckOptions>()
  const isNamed = command.getOptionValueSourceWithGlobals('state') === 'cli'
  return { ...(isNamed && state !== undefined ? { state } : {}), ...(json === undefined ? {} : { json }) }
}

async function check({ state, json }: CheckOptions): Promise<void> {
  const { chatModel } = state === undefined ? readConfig(processEnvironment()) : roleConfig(state)
  if (chatModel === null) {
    if (json) outJson({ model: null })
    else out('No model is set: chats are led by rules. Set PROKURA_CHAT_MODEL to have a model lead them.')
    return
  }
  const result = await askModel(chatModel)
  const { answers, streams, callsTools, trouble, status } = result
  const name = `${chatModel.provider}/${chatModel.model}`
  const remedy = trouble === null ? null : remedies[trouble]
  if (json) outJson({ model: name, answers, streams, calls_tools: callsTools, trouble, status, remedy })
  else out(lineOf(name, result))
  if (trouble !== null) process.exitCode = 1
}

async function askModel(chatModel: ChatModelConfig): Promise<ModelCheck> {
  const egress = egressTo(chatModel)
  const stopping = new AbortController()
  const stop = () => stopping.abort()
  process.once('SIGINT', stop)
  try {
    const model = await openChatModel(chatModel, egress)
    note(`Asking ${model.name}…`)
    return await checkModel(model, stopping.signal)
  } finally {
    process.off('SIGINT', stop)
    await egress.close()
  }
}

function lineOf(name: string, { answers, streams, callsTools, trouble, status }: ModelCheck): string {
  if (trouble === null) return `${name} answers, streams and calls tools.`
  const can = [answers && 'answers', streams && 'streams', callsTools && 'calls tools'].filter(Boolean)
  const begins = can.length === 0 ? `${name} gives no answer` : `${name} ${can.join(' and ')}, and no more`
  return `${begins}${status === null ? '' : ` (status ${status})`}. ${remedies[trouble]}`
}
