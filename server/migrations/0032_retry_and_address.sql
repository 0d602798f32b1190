-- Two more things that a purchase waits for. `retry`: which carts somebody wants to try again, while a person is asked about that.
-- `ship_to`: whether the goods have somewhere to go; null where nothing is shipped, and where the purchase is older than the rule.
set local lock_timeout = '400ms';

alter table purchase_intents
  add column retry jsonb,
  add column ship_to text check (ship_to in ('awaited', 'frozen'));

-- A purchase that is tried again while another of its carts is unknown is held as one, and counts for both decisions.
alter table policy_reservations
  drop constraint policy_reservations_count_check,
  add constraint policy_reservations_count_check check (count >= 0) not valid;

-- A version that knows neither would approve such a purchase as a whole, or end it as declined: it is refused, and tries again after
-- its deployment. Nothing has either of them yet, so there is nothing to validate.
alter table purchase_intents
  add constraint purchase_intents_retry_waits check (retry is null or status = 'awaiting_approval') not valid,
  add constraint purchase_intents_address_awaited
    check (ship_to is distinct from 'awaited' or status in ('awaiting_approval', 'declined', 'cancelled')) not valid,
  add constraint purchase_intents_address_frozen
    check (ship_to is distinct from 'frozen' or coalesce(jsonb_typeof(fulfillment -> 'address') = 'object', false)) not valid;
