import { defineSlice } from '../../../platform/slices/slice.ts'
import { deleteShopAnswers } from './delete-shop-answers.ts'
import { deleteWithProfile } from './delete-with-profile.ts'
import { listShopAnswers } from './list-shop-answers.ts'

export const shopAnswers = defineSlice({
  name: 'buyers/shop-answers',
  about: 'Keeps what a profile tells shops that ask, sealed, for the exact host that asked.',
  needs: ['buyers/profiles'],
  tables: ['shop_answers'],
  operations: [listShopAnswers, deleteShopAnswers],
  followers: [deleteWithProfile],
})
