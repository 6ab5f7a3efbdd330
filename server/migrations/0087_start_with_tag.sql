-- A start from the portal may name the tag whose session it is.
alter table charger_command
  add column tag_id uuid,
  add foreign key (customer_id, tag_id) references charger_tag on delete set null (tag_id);
