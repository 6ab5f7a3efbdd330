import { edgeTopic } from './edge.ts'

/** `edgeKey` and `groupKey` are keys of the portal, `host` is a host name or an address: none needs quoting in a shell. */
type Target = { host: string; port: number; tls: boolean; edgeKey: string; groupKey: string }

const clientId = 'first-message'

/** Commands that send one valid message of telemetry; each reads the secret from the variable EDGE_SECRET. */
export const firstMessageCommands = ({ host, port, tls, edgeKey, groupKey }: Target) => {
  const topic = edgeTopic.telemetry(edgeKey, groupKey)
  return {
    mosquitto: `mosquitto_pub -h ${host} -p ${port}${tls ? ' --tls-use-os-certs' : ''} -V mqttv311 -q 1 -i ${clientId} \\
  -u ${edgeKey} -P "$EDGE_SECRET" -t ${topic} \\
  -m "{\\"v\\":1,\\"seq\\":1,\\"t0\\":\\"$(date -u +%Y-%m-%dT%H:%M:%S.000Z)\\",\\"dtMs\\":1000,\\"f\\":[49.98],\\"p\\":[412.5]}"
`,
    node: `// npm install mqtt
import mqtt from 'mqtt'

const client = await mqtt.connectAsync('${tls ? 'mqtts' : 'mqtt'}://${host}:${port}', {
  protocolVersion: 4,
  reconnectPeriod: 0,
  clientId: '${clientId}',
  username: '${edgeKey}',
  password: process.env.EDGE_SECRET,
})
const message = { v: 1, seq: 1, t0: new Date().toISOString(), dtMs: 1000, f: [49.98], p: [412.5] }
await client.publishAsync('${topic}', JSON.stringify(message), { qos: 1 })
await client.endAsync()
`,
    python: `# pip install paho-mqtt
import datetime, json, os
import paho.mqtt.publish as publish

now = datetime.datetime.now(datetime.timezone.utc)
message = {'v': 1, 'seq': 1, 't0': now.strftime('%Y-%m-%dT%H:%M:%S.000Z'), 'dtMs': 1000, 'f': [49.98], 'p': [412.5]}
publish.single(
    '${topic}',
    json.dumps(message),
    qos=1,
    hostname='${host}',
    port=${port},
    client_id='${clientId}',
    auth={'username': '${edgeKey}', 'password': os.environ['EDGE_SECRET']},${tls ? '\n    tls={},' : ''}
)
`,
  }
}
