export { plannerThinker } from './planner/planner-thinker.ts'
export { ChatMeans, chatLimits } from './runner/means.ts'
export { chatToolsOf } from './runner/tools.ts'
