import type { EdgeProblem } from '@gridmast/contract/delivery/edges.ts'
import { t } from '#lib/i18n.ts'

const ofConnections: Record<string, () => string> = {
  credentials: () => t('Wrong secret. Use the newest secret of this edge gateway.'),
  tries: () => t('Too many failed sign-ins. Wait a minute and use the newest secret.'),
  connections: () => t('More than 10 connections at the same time. Close some of them.'),
  'foreign topic': () => t('Wrong topic. Publish to the topic of an instance.'),
  'foreign subscription': () => t('Wrong subscription. Subscribe only to topics of this edge gateway.'),
  qos: () => t('Wrong quality of service. Publish with level 1.'),
  oversize: () => t('Message too large. The limit is 65,536 bytes.'),
  rate: () => t('Too many messages. The limit is 100 per second.'),
  'in flight': () => t('Too many unacknowledged messages. Wait for the acknowledgements.'),
  'not stored': () => t('The message could not be stored. Send it again.'),
  protocol: () => t('Wrong protocol version. Use MQTT 3.1.1.'),
}

const ofMessages: Record<string, () => string> = {
  'unknown group': () => t('Unknown instance in the topic. Use the key of an instance.'),
  'not JSON': () => t('The message is not valid JSON.'),
  'v is not 1': () => t('The field v is missing. It must be 1.'),
  't0 is not an instant': () => t('The field t0 is not a UTC time such as 2026-11-20T10:00:00.000Z.'),
  'seq is not a whole number': () => t('The field seq is missing. It must be a whole number.'),
  'dtMs is out of range': () => t('The field dtMs is missing or invalid. It must be 1 to 3,600,000.'),
  'lists of different length': () => t('The lists of values differ in length.'),
  'no signal of this group': () => t('The message contains no known signal. Send at least f or p.'),
  'clock ahead': () => t('The time is more than 5 minutes ahead. Check the clock of the edge gateway.'),
  'clock behind': () => t('The time is too far in the past. Check the clock of the edge gateway.'),
  'unknown command': () => t('The response names an unknown command.'),
}

export const problemText = ({ from, reason }: Pick<EdgeProblem, 'from' | 'reason'>): string =>
  (from === 'connection' ? ofConnections : ofMessages)[reason]?.() ?? t('Invalid message: {{reason}}', { reason })
