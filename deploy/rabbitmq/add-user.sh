#!/bin/sh
# add-user.sh gridmast | EDGE < password: a user of the brokers with the rights of deploy/mosquitto/gridmast.acl. Run it on one node.
set -eu
name="$1"
case "$name" in
  *.*)
    echo "$name: RabbitMQ separates levels of topics by dots, so the key of an edge must not have one" >&2
    exit 1
    ;;
esac
password="$(cat)"
printf '%s\n' "$password" | rabbitmqctl add_user "$name"
queues='^mqtt-subscription-.*$'
rabbitmqctl set_permissions "$name" "$queues" "$queues|^amq\.topic\$" "$queues|^amq\.topic\$"
if [ "$name" = gridmast ]; then
  rabbitmqctl set_topic_permissions gridmast amq.topic \
    '^gm\.v1\.[^.]+\.(cmd\.req|config|ack|status)$' \
    '^gm\.v1\.[^.]+\.(status|telemetry\.[^.]+|meter\.[^.]+|event\.[^.]+|log\.[^.]+|cmd\.res)$'
else
  rabbitmqctl set_topic_permissions "$name" amq.topic \
    "^gm\.v1\.$name\.(status|telemetry\.[^.]+|meter\.[^.]+|event\.[^.]+|log\.[^.]+|cmd\.res)\$" \
    "^gm\.v1\.$name\.(cmd\.req|config|ack)\$"
fi
