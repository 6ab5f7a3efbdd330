// npm run login-link -- <email> [--without-second-factor]: prints an address that signs this person in, once, within 10 minutes.
// With the flag the second factor of somebody who lost phone and recovery codes is taken away first; a mail tells them.
// With DATABASE_URL it needs the server's SECRET_KEY (or DATA_DIR); otherwise a running server is asked through its data folder.
import { parseArgs } from 'node:util'
import { runOperatorCall } from './operator.ts'

const read = () => {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { 'without-second-factor': { type: 'boolean', default: false } },
    })
    const [email] = positionals
    return email && positionals.length === 1 ? { email, withoutSecondFactor: values['without-second-factor'] } : null
  } catch {
    return null // a flag that there is not
  }
}

const request = read()
if (request) await runOperatorCall('login-link', request)
else {
  console.error('Usage: npm run login-link -- <email> [--without-second-factor]')
  process.exitCode = 1
}
