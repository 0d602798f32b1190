-- A purchase that policies allow unattended is decided from what was read without a lock, and held under the locks of what it was decided
-- from. When that has changed in between, its transaction ends here, like one that cannot be serialized: nothing is written, and the call
-- is run again.
create function refuse_stale_decision() returns boolean language plpgsql as $$
begin
  raise exception 'what a purchase was decided from has changed' using errcode = 'serialization_failure';
end
$$;
