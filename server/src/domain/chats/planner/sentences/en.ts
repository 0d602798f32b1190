import type { Sentences } from './sentences.ts'

export const en: Sentences = {
  found: (count) => `I found ${count} that fit.`,
  foundOne: (title, price) => `I found one: ${title}, ${price}.`,
  nothing: (query) => `I found nothing for “${query}”. Try other words, or fewer conditions.`,
  nothingCheaper: 'I found nothing cheaper.',
  nothingMore: 'I found no others.',
  noneLikeThat: (wanted) => `None of them comes in ${wanted}. Here is what there is.`,
  which: 'Which one do you want?',
  onlyShown: (count) => `I showed you ${count}. Which of them do you mean?`,
  detail: (title, price, merchant) => `${title} costs ${price} at ${merchant}.`,
  options: (name, values) => `${name}: ${values}.`,
  shallI: 'Shall I buy it?',
  askOption: (title, name, values) => `Which ${name} of ${title}? There is ${values}.`,
  notInOption: (title, wanted, values) => `${title} does not come in ${wanted}. There is ${values}.`,
  soldOut: (title) => `${title} is not available now.`,
  notBuyable: (title) => `I cannot buy ${title}: its shop does not sell it this way.`,
  needsInput: (title, labels) =>
    `For ${title} the shop has to know more: ${labels}. I cannot enter that here.`,
  overBudget: (title, price) =>
    `${title} costs ${price}, which is more than you want to spend. I did not buy it.`,
  otherCurrency: (title, price) =>
    `${title} costs ${price}. I cannot compare that with your limit, which is in another currency, so I did not buy it.`,
  approve: (title, merchant, cap) =>
    `${title} from ${merchant}: ${cap} at most, with delivery and tax. I cannot approve it. Please do that with the button.`,
  payFirst: (title) => `${title} needs a payment method first. Please choose one with the button.`,
  needsPerson: (title) => `${title} waits for you. Please go on with the button.`,
  buying: (title) => `I am buying ${title}. I will tell you here when it is done.`,
  bought: (title, amount) => `${title} is bought. ${amount} was charged.`,
  failed: (title, reason) => `${title} was not bought: ${reason}`,
  cancelled: (title) => `The purchase of ${title} is canceled.`,
  declined: (title) => `The purchase of ${title} was declined. Nothing was bought.`,
  approvedByPerson: 'A message does not approve a purchase. Please use the button.',
  alreadyAsked:
    'This purchase already waits for your approval, and does not change any more. Cancel it first, then tell me what you want.',
  noPurchase: 'There is no purchase yet.',
  cannotReturn: (merchant) =>
    `I cannot send anything back. Please ask ${merchant}: the shop says how it takes things back.`,
  sortedByPrice: 'Here they are by price, the cheapest first.',
  noRatings: 'The shops tell me no ratings, so I cannot compare by them.',
  noDelivery: 'How long a delivery takes, a shop says only when it is asked for its final price.',
  nothingShown: 'I have not shown you anything yet. What are you looking for?',
  refused: {
    address: 'I cannot change addresses. Please do that where you manage your profile.',
    card: 'I cannot add or change cards. Please do that where you manage your profile.',
    limit: 'I cannot change limits. Only a person who manages this account can.',
    person: 'I cannot connect you with a person. I follow rules and can only shop.',
    other: 'I can only shop: look for products, buy them, and say how a purchase stands.',
  },
  greet: 'Hello! What are you looking for?',
  thank: 'You are welcome.',
  help: 'I look for products, compare them by price, buy what you choose, and tell you how it goes. I follow rules; I am not a person. What needs your approval, you approve with a button.',
  unclear: 'I did not understand that. Tell me what you are looking for, such as “a kettle under $40”.',
  fine: 'All right.',
  toolFailed: (message) => `That did not work: ${message}`,
  notices: {
    stopped: 'Stopped.',
    key_ended: 'This chat may no longer act for you: the key of your application has ended.',
    frozen: 'Purchases are frozen here at the moment. Somebody who manages this account can end that.',
    too_many_steps: 'I stop here: this needed too many steps. Please ask for less at once.',
    too_long: 'I stop here: this took too long. Please try again.',
    too_many_tokens: 'I stop here: this answer became too long. Please ask for less at once.',
    tokens_of_day_used:
      'What this account may use of its language model today is used up. Please try again tomorrow.',
    cost_of_day_used:
      'What this account may spend on its language model today is spent. Please try again tomorrow.',
    internal_error: 'Something failed on our side. Please write again.',
    amount_not_known:
      '[A sentence was left out: it named an amount that no product and no purchase here has.]',
    model_unavailable: 'The language model does not answer at the moment. Please try again in a while.',
    model_overloaded: 'The language model is overloaded. Please try again in a minute.',
    model_unreadable: 'The language model answered something that cannot be read. Please try again.',
  },
}
