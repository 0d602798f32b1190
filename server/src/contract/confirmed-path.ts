/** The page to which people come back from the page of their bank, on which they have confirmed a payment or refused it. */
export const confirmedPath = '/payment_confirmed'
