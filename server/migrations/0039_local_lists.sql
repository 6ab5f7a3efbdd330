-- The list of tags that a charger keeps, for when nobody answers it: as it was last sent and confirmed.

create table charger_local_list (
  customer_id uuid not null,
  charger_id uuid not null,
  -- What the charger says too, or it gets the whole list.
  version integer not null,
  -- Each tag with what was said of it, as one text.
  entries jsonb not null,
  -- The charger's word where it refused the list.
  refusal text,
  sent_at timestamptz not null,
  primary key (customer_id, charger_id),
  foreign key (customer_id, charger_id) references charger
);
call scope_by_customer('charger_local_list');

create trigger tell_tags after insert or update or delete on charger_tag for each row execute function tell_change('charger-tags', 'customer_id');
create trigger tell_tags after update of active on charger_tag_group for each row execute function tell_change('charger-tags', 'customer_id');
