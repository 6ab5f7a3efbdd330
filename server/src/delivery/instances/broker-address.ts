import type { EdgeBroker } from '@gridmast/contract/delivery/edges.ts'
import type { Config } from '#config.ts'

const defaultPorts = { 'mqtt:': 1883, 'mqtts:': 8883 }

/** Address of the broker for edges: as set by the operator, else the outside broker, else this server at its public name. */
export const brokerAddress = ({
  MQTT_PUBLIC_URL,
  MQTT_URL,
  MQTT_PORT,
  PUBLIC_URL,
}: Pick<Config, 'MQTT_PUBLIC_URL' | 'MQTT_URL' | 'MQTT_PORT' | 'PUBLIC_URL'>): EdgeBroker => {
  const address = MQTT_PUBLIC_URL ?? MQTT_URL
  if (address === undefined)
    return { host: PUBLIC_URL === undefined ? null : new URL(PUBLIC_URL).hostname, port: MQTT_PORT, tls: false }
  const { protocol, hostname, port } = new URL(address)
  const tls = protocol === 'mqtts:'
  return { host: hostname, port: Number(port) || defaultPorts[tls ? 'mqtts:' : 'mqtt:'], tls }
}
