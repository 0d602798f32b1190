-- # The link of a purchase
set local lock_timeout = '400ms';

-- Who waits for a person is shown the page on which they answer.
create index approval_links_purchase on approval_links (account_id, mode, purchase_intent_id);
