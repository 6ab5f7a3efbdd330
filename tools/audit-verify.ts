// npm run audit-verify [-- <customer key>]: recomputes the hash chain of one customer's audit trail, or of all. Ends with 1 when one is broken.
import { runOperatorCall } from './operator.ts'

await runOperatorCall('audit-verify', { customer: process.argv[2] })
