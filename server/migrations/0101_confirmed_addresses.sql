-- Mail to an address outside a company waits until its owner has confirmed it with the link of a mail; addresses that are in use today are
-- confirmed. A domain of the company's users is the company's own, unless anybody can have an address there.
create table address_confirmation (
  customer_id uuid not null references customer,
  email text not null check (email = lower(email)),
  confirmed_at timestamptz,
  -- SHA-256 of the token in the newest link; null once it was used.
  token_sha256 bytea unique,
  expires_at timestamptz not null,
  requested_at timestamptz not null,
  primary key (customer_id, email)
);
call scope_by_customer('address_confirmation');

insert into address_confirmation (customer_id, email, confirmed_at, expires_at, requested_at)
select customer_id, lower(email), now(), now(), now() from (
  select customer_id, email from alert where removed_at is null
  union select customer_id, email from email_subscription
  union select customer_id, email from statement_reader) used
on conflict do nothing;

create function is_confirmed(of_customer uuid, address text) returns boolean language sql stable as $$
  select exists (
    select from app_user u where u.customer_id = of_customer and u.enabled and (lower(u.email) = lower(address)
      or (split_part(lower(u.email), '@', -1) = split_part(lower(address), '@', -1) and split_part(lower(address), '@', -1) <> all (array[
        'gmail.com', 'googlemail.com', 'outlook.com', 'outlook.dk', 'hotmail.com', 'hotmail.dk', 'live.com', 'live.dk', 'msn.com', 'icloud.com',
        'me.com', 'yahoo.com', 'yahoo.dk', 'proton.me', 'protonmail.com', 'gmx.com', 'gmx.de', 'mail.com', 'mail.dk', 'jubii.dk', 'ofir.dk',
        'youmail.dk', 'tdcadsl.dk', 'stofanet.dk'])))
  ) or exists (
    select from address_confirmation a where a.customer_id = of_customer and a.email = lower(address) and a.confirmed_at is not null
  )
$$;
