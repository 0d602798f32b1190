export { plannerThinker } from './planner/planner-thinker.ts'
export { type ChatLimits, ChatMeans, chatLimits } from './runner/means.ts'
export { modelThinker, type TokenPrices } from './runner/model-thinker.ts'
export { chatToolsOf } from './runner/tools.ts'
