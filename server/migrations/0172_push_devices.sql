-- Devices of users that receive push messages (RFC 8030), the key pair of this installation (VAPID, RFC 8292), and the newest message of each
-- topic, so that a topic is not sent again too soon.
create table push_device (
  customer_id uuid not null references customer,
  device_id uuid not null,
  user_id uuid not null,
  -- The device receives nothing once this session has been ended.
  session_id uuid not null,
  endpoint text not null,
  p256dh text not null,
  auth text not null,
  created_at timestamptz not null,
  primary key (customer_id, device_id),
  unique (customer_id, user_id, endpoint),
  foreign key (customer_id, user_id) references app_user on delete cascade,
  foreign key (customer_id, session_id) references user_session on delete cascade
);
call scope_by_customer('push_device');

create table push_topic (
  customer_id uuid not null references customer,
  device_id uuid not null,
  topic text not null,
  sent_at timestamptz not null,
  primary key (customer_id, device_id, topic),
  foreign key (customer_id, device_id) references push_device on delete cascade
);
call scope_by_customer('push_topic');

create table push_key (
  only_one boolean primary key default true check (only_one),
  public_key text not null,
  private_sealed bytea not null,
  created_at timestamptz not null
);
grant select, insert, update, delete on push_key to gridmast_system;
