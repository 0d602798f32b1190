import type { Fragment } from '../../../contract/statement.ts'
import type { Tenanted } from '../../../platform/aggregate/aggregate.ts'
import { lockControlForShare } from './controls.sql.ts'
import type { Freezes } from './freezes.ts'

/** The lock of `lockControlForShare`, for a statement that locks more behind it. `version` is another one after each update of the row. */
export const sharedControl: Fragment<Freezes & { version: string }, Tenanted> = lockControlForShare
